import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { listJobs } from "#lib/db/queries/jobs/jobs.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { listUsageDays } from "#lib/db/queries/usage/usage-days.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { rollBackAcceptance } from "#lib/jobs/accept/roll-back-acceptance.ts";
import { discardStagedUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { cancelJob } from "#lib/jobs/actions/actions.ts";
import { announceWaiting } from "#lib/jobs/runner/sweep.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { sendTest } from "#lib/webhooks/deliveries.ts";
import { inngest } from "#tests/servers/inngest/use-inngest.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** As in production, but for what waits since just now. */
const soon = { untoldSeconds: 0, againSeconds: 120 };

/** What has been counted of an account, and what there is of it. */
async function countsOf(accountId: string, period: string) {
  const { total } = await listJobs(db(), accountId, {}, { limit: 1, offset: 0 });
  const days = await listUsageDays(db(), accountId, `${period}-01`);
  return [total, days, await readUsage(db(), accountId, period)];
}

afterEach(async () => {
  await inngest.down();
  await inngest.up();
  await db().execute(sql`delete from jobs`);
});

const eventsOf = (subject: string) =>
  inngest.events.filter(({ data }) => Object.values(data).includes(subject));

/** The job, waiting as if it had been told of `minutes` ago. */
async function wait(job: JobRow, minutes: number): Promise<void> {
  const since = sql`now() - make_interval(secs => ${minutes * 60})`;
  const times = sql`run_after = ${since}, handed_over_at = ${since}`;
  await db().execute(sql`update jobs set ${times} where id = ${job.id}`);
}

it("an accepted job is announced by one event that is named after it", async () => {
  const account = await makeAccount("business");
  const { id, handedOverAt } = await acceptJob(account);
  expect(eventsOf(id)).toEqual([
    {
      id: `${id}:run-0`,
      name: eventNames.run,
      data: { jobId: id, accountId: account.id, plan: "business", slot: expect.any(Number) },
      ts: expect.any(Number),
      meta: undefined,
    },
  ]);
  expect(handedOverAt).toEqual(expect.any(Date));
  await announceWaiting(soon);
  expect(eventsOf(id)).toHaveLength(1);
});

it("while Inngest is away a job is not accepted, and nothing of it is left", async () => {
  const account = await makeAccount();
  const { period } = await acceptJob(account);
  const before = await countsOf(account.id, period);
  await inngest.down();
  const idempotency = { key: "away", fingerprint: "f" };
  const refused = acceptJob(account, undefined, { idempotency });
  await expect(refused).rejects.toThrow(UnavailableError);
  expect(await countsOf(account.id, period)).toEqual(before);
  await inngest.up();
  const accepted = await acceptJob(account, undefined, { idempotency });
  expect(eventsOf(accepted.id)).toHaveLength(1);
});

it("the files of a job that was taken back are removed as those of a request that made none", async () => {
  const job = await acceptJob(await makeAccount());
  const key = job.source.kind === "upload" ? job.source.key : "";
  expect(await rollBackAcceptance(job.id, undefined)).toBe(true);
  await discardStagedUpload(job.id);
  await expect(storage().read(key)).rejects.toThrow(FileGoneError);
  await expect(readJob(job.id)).rejects.toThrow("no such job");
});

it("a job that somebody has taken is not taken back, however late the queue answers", async () => {
  const { id } = await acceptJob(await makeAccount());
  await db().execute(sql`update jobs set lease_token = 'somebody' where id = ${id}`);
  expect(await rollBackAcceptance(id, undefined)).toBe(false);
  await db().execute(sql`update jobs set lease_token = null, attempts = 1 where id = ${id}`);
  expect(await rollBackAcceptance(id, undefined)).toBe(false);
  expect(await readJob(id)).toMatchObject({ status: "pending" });
});

it("a job that Inngest could not be told of is announced by another event", async () => {
  const { id } = await acceptJob(await makeAccount());
  await db().execute(sql`update jobs set handed_over_at = null where id = ${id}`);
  await announceWaiting(soon);
  expect(eventsOf(id).at(-1)?.id).toMatch(new RegExp(`^${id}:run-0-\\d+$`));
  expect(await readJob(id)).toMatchObject({ handedOverAt: expect.any(Date) });
});

it("a job that nobody has taken is announced again after two minutes, four, eight …", async () => {
  const job = await acceptJob(await makeAccount());
  await wait(job, 1.9);
  await announceWaiting();
  expect(eventsOf(job.id)).toHaveLength(1);
  await wait(job, 2.1);
  await announceWaiting();
  await announceWaiting();
  expect(eventsOf(job.id)).toHaveLength(2);
  // Told after ten minutes of a wait of nineteen: half of the wait is not over.
  await wait(job, 19);
  await db().execute(sql`update jobs set handed_over_at = now() - interval '9 minutes'`);
  await announceWaiting();
  expect(eventsOf(job.id)).toHaveLength(2);
  await db().execute(sql`update jobs set handed_over_at = now() - interval '10 minutes'`);
  await announceWaiting();
  expect(eventsOf(job.id)).toHaveLength(3);
  expect(new Set(eventsOf(job.id).map(({ id }) => id)).size).toBe(3);
});

it("a webhook that Inngest did not take is announced when it is back", async () => {
  await inngest.down();
  const { id } = await sendTest((await makeAccount()).id, "http://127.0.0.1:9/");
  await inngest.up();
  await waitUntil(async () => {
    await announceWaiting(soon);
    return eventsOf(id).length > 0;
  });
  const data = { deliveryId: id, receiver: "127.0.0.1:9" };
  expect(eventsOf(id)[0]).toMatchObject({ name: eventNames.delivery, data });
});

it("a cancelled job's run is withdrawn", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account);
  await cancelJob(account.id, id);
  expect(eventsOf(id).at(-1)).toMatchObject({ name: eventNames.cancelled, data: { jobId: id } });
});
