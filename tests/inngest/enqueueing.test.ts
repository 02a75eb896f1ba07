import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { listJobs } from "#lib/db/queries/jobs/lists.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { listUsageDays } from "#lib/db/queries/usage/usage-days.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { rollBackAcceptance } from "#lib/jobs/accept/roll-back-acceptance.ts";
import { discardStagedUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { reenqueueWaiting } from "#lib/jobs/runner/sweep.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** The times as in production, except that a job that is not enqueued is due at once. */
const immediately = { notEnqueuedSeconds: 0, unclaimedSeconds: 120 };

/** The number of an account's jobs, its usage days and its usage in a period. */
async function readCounts(accountId: string, period: string) {
  const { total } = await listJobs(db(), accountId, {}, { limit: 1, offset: 0 });
  const days = await listUsageDays(db(), accountId, `${period}-01`);
  return [total, days, await readUsage(db(), accountId, period)];
}

afterEach(async () => {
  await inngest.close();
  await inngest.listen();
  await db().execute(sql`delete from jobs`);
});

const findEvents = (subject: string) =>
  inngest.events.filter(({ data }) => Object.values(data).includes(subject));

/** Makes the job wait as if it had been enqueued `minutes` ago. */
async function setWaitMinutes(job: JobRow, minutes: number): Promise<void> {
  const since = sql`now() - make_interval(secs => ${minutes * 60})`;
  const times = sql`run_after = ${since}, enqueued_at = ${since}`;
  await db().execute(sql`update jobs set ${times} where id = ${job.id}`);
}

it("an accepted job is enqueued with one event whose id contains the job id", async () => {
  const account = await makeAccount("business");
  const { id, enqueuedAt } = await acceptJob(account);
  expect(findEvents(id)).toEqual([
    {
      id: `${id}:run-0`,
      name: eventNames.run,
      data: { messageId: `${id}:run-0`, jobId: id, accountId: account.id, plan: "business" },
      ts: expect.any(Number),
      meta: undefined,
    },
  ]);
  expect(enqueuedAt).toEqual(expect.any(Date));
  await reenqueueWaiting(immediately);
  expect(findEvents(id)).toHaveLength(1);
});

it("while Inngest is unavailable a job is not accepted, and nothing of it remains", async () => {
  const account = await makeAccount();
  const { period } = await acceptJob(account);
  const before = await readCounts(account.id, period);
  await inngest.close();
  const idempotency = { key: "unavailable", fingerprint: "f" };
  const rejected = acceptJob(account, undefined, { idempotency });
  await expect(rejected).rejects.toThrow(UnavailableError);
  expect(await readCounts(account.id, period)).toEqual(before);
  await inngest.listen();
  const accepted = await acceptJob(account, undefined, { idempotency });
  expect(findEvents(accepted.id)).toHaveLength(1);
});

it("the files of a job whose acceptance was rolled back are removed", async () => {
  const job = await acceptJob(await makeAccount());
  const key = job.source.kind === "stored" ? job.source.key : "";
  expect(await rollBackAcceptance(job.id, undefined)).toBe(true);
  await discardStagedUpload(job.id);
  await expect(storage().read(key)).rejects.toThrow(FileGoneError);
  await expect(readJob(job.id)).rejects.toThrow("no such job");
});

it("the acceptance of a job that a runner has claimed is not rolled back", async () => {
  const { id } = await acceptJob(await makeAccount());
  await db().execute(sql`update jobs set lease_token = 'another' where id = ${id}`);
  expect(await rollBackAcceptance(id, undefined)).toBe(false);
  await db().execute(sql`update jobs set lease_token = null, attempts = 1 where id = ${id}`);
  expect(await rollBackAcceptance(id, undefined)).toBe(false);
  expect(await readJob(id)).toMatchObject({ status: "pending" });
});

it("a job that could not be enqueued is enqueued again with another event id", async () => {
  const { id } = await acceptJob(await makeAccount());
  await db().execute(sql`update jobs set enqueued_at = null where id = ${id}`);
  await reenqueueWaiting(immediately);
  expect(findEvents(id).at(-1)?.id).toMatch(new RegExp(`^${id}:run-0-\\d+$`));
  expect(await readJob(id)).toMatchObject({ enqueuedAt: expect.any(Date) });
});

it("a job that no runner has claimed is enqueued again after two, four, eight … minutes", async () => {
  const job = await acceptJob(await makeAccount());
  await setWaitMinutes(job, 1.9);
  await reenqueueWaiting();
  expect(findEvents(job.id)).toHaveLength(1);
  await setWaitMinutes(job, 2.1);
  await reenqueueWaiting();
  await reenqueueWaiting();
  expect(findEvents(job.id)).toHaveLength(2);
  // Enqueued after 10 of 19 minutes: less than half of the wait has passed since then.
  await setWaitMinutes(job, 19);
  await db().execute(sql`update jobs set enqueued_at = now() - interval '9 minutes'`);
  await reenqueueWaiting();
  expect(findEvents(job.id)).toHaveLength(2);
  await db().execute(sql`update jobs set enqueued_at = now() - interval '10 minutes'`);
  await reenqueueWaiting();
  expect(findEvents(job.id)).toHaveLength(3);
  expect(new Set(findEvents(job.id).map(({ id }) => id)).size).toBe(3);
});

it("a webhook that could not be enqueued is enqueued when Inngest is available again", async () => {
  await inngest.close();
  const { id } = await createTestDelivery((await makeAccount()).id, "http://127.0.0.1:9/");
  await inngest.listen();
  await waitUntil(async () => {
    await reenqueueWaiting(immediately);
    return findEvents(id).length > 0;
  });
  const data = { deliveryId: id };
  expect(findEvents(id)[0]).toMatchObject({ name: eventNames.delivery, data });
});

it("the cancellation of a job sends no event: its message may have started another job", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account);
  await cancelJob(account.id, id);
  expect(findEvents(id)).toHaveLength(1);
});

it("jobs that were not enqueued are enqueued in one request, each by one of several runners", async () => {
  const account = await makeAccount();
  for (let count = 0; count < 20; count++) await acceptJob(account);
  await db().execute(sql`update jobs set enqueued_at = null`);
  const events = inngest.events.length;
  const requests = inngest.eventRequests;
  await Promise.all([1, 2, 3].map(() => reenqueueWaiting(immediately)));
  expect([inngest.events.length - events, inngest.eventRequests - requests]).toEqual([20, 1]);
});
