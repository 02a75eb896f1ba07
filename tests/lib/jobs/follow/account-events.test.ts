import { afterEach, expect, it } from "vitest";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { followAccountJobs } from "#lib/jobs/follow/account-events.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { acceptJob, makeAccount, shortTimes } from "#tests/service/jobs.ts";

const times = { batchMs: 1, idleMs: 60_000 };
let controller = new AbortController();

afterEach(() => {
  controller.abort();
  controller = new AbortController();
});

function follow(accountId: string, known: readonly string[] = []) {
  return followAccountJobs(accountId, known, controller.signal, times);
}

/** The jobs that were yielded until one matched `condition`. */
async function readUntil(
  lists: AsyncGenerator<JobSummary[]>,
  condition: (job: JobSummary) => boolean,
): Promise<JobSummary[]> {
  const seen: JobSummary[] = [];
  // Not `for await`, which would close the generator.
  while (!seen.some(condition)) seen.push(...((await lists.next()).value ?? []));
  return seen;
}

it("the newest jobs come first, then every new job and every change", async () => {
  const account = await makeAccount();
  const before = await acceptJob(account);
  const lists = follow(account.id);
  expect((await lists.next()).value).toMatchObject([{ id: before.id, status: "pending" }]);
  const after = await acceptJob(account);
  const isNew = ({ id }: JobSummary) => id === after.id;
  // The first job may come again: its notification was sent before, and arrives at any time.
  expect((await readUntil(lists, isNew)).find(isNew)).toMatchObject({
    status: "pending",
    operation: "pipeline/file-inspect",
    input: "a.txt",
  });
  const runner = await startMediaRunner(shortTimes);
  const seen = await readUntil(lists, (job) => job.id === after.id && job.status === "completed");
  await runner.stop();
  expect(seen.at(-1)).toMatchObject({ progress: 100, completedAt: expect.any(String) });
});

it("a cancellation is reported", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account);
  const lists = follow(account.id);
  await lists.next();
  await cancelJob(account.id, id);
  expect((await lists.next()).value).toMatchObject([{ id, status: "cancelled" }]);
});

it("another account's jobs are never reported, even if the client names them", async () => {
  const own = await makeAccount();
  const foreign = await makeAccount();
  const theirs = await acceptJob(foreign);
  const lists = follow(own.id, [theirs.id]);
  expect((await lists.next()).value).toEqual([]);
  await cancelJob(foreign.id, theirs.id);
  const mine = await acceptJob(own);
  expect((await lists.next()).value).toMatchObject([{ id: mine.id }]);
});

it("it ends when the signal is aborted", async () => {
  const { id } = await makeAccount();
  const lists = follow(id);
  await lists.next();
  const next = lists.next();
  controller.abort();
  expect(await next).toMatchObject({ done: true });
});
