import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, inject } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { jobMessage } from "#lib/jobs/queue-message.ts";
import type { LeaseTimes } from "#lib/jobs/run/lease.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { recoverLostJobs, reenqueueWaiting } from "#lib/jobs/runner/sweep.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { queue } from "#lib/queue/index.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { claimJob } from "#tests/service/claim-job.ts";
import { waitUntil } from "../support/processes.ts";
import { acceptFile, acceptJob, makeAccount, readJob, waitForJobState } from "./jobs.ts";

/** A queue and its runners, as the scenarios use them. */
export interface QueueUnderTest {
  startMedia(times?: Partial<LeaseTimes>): Promise<Runner>;
  startWebhooks(): Promise<Runner>;
  /** Drops every message that is enqueued while `work` runs. */
  losingMessages<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The life of a job, the same under every queue. */
export interface Scenario {
  readonly name: string;
  readonly run: (queue: QueueUnderTest) => Promise<void>;
}

const host = `http://127.0.0.1:${inject("hostPort")}`;
const drip = `${host}/drip`;

const isRunning = (job: JobRow) => job.leaseToken !== null;

async function countRunning(jobs: readonly JobRow[]): Promise<number> {
  const rows = await Promise.all(jobs.map(({ id }) => readJob(id)));
  return rows.filter(isRunning).length;
}

/** Enqueues a job once more than necessary. */
async function enqueueAgain(job: JobRow, stage?: JobStage): Promise<void> {
  const opened = await queue();
  const needed = jobMessage(await readJob(job.id), { again: true });
  const message = { ...needed, stage: stage ?? needed.stage };
  await (await transaction((tx) => opened.enqueueJob(tx, message)))();
}

/** Expects that an account of `plan` runs `maximum` jobs at once, and no more. */
async function expectConcurrentJobs(
  plan: "free" | "pro",
  maximum: number,
  queue: QueueUnderTest,
): Promise<void> {
  await queue.startMedia();
  const account = await makeAccount(plan);
  const jobs: JobRow[] = [];
  for (let count = 0; count < maximum + 2; count++) jobs.push(await acceptJob(account, drip));
  await waitUntil(async () => (await countRunning(jobs)) >= maximum);
  // A job of another account completes meanwhile. In this time, another job could have started.
  const other = await acceptJob(await makeAccount(plan));
  expect(await waitForJobState(other.id)).toMatchObject({ status: "completed" });
  const upload = await acceptJob(account);
  const [last] = jobs.slice(-1);
  expect(await countRunning(jobs)).toBe(maximum);
  expect(await readJob(upload.id)).toMatchObject({ status: "pending" });
  for (const { id } of jobs.slice(0, maximum)) await cancelJob(account.id, id);
  await waitForJobState(last?.id ?? "", isRunning);
  for (const { id } of jobs) await cancelJob(account.id, id);
  expect(await waitForJobState(upload.id)).toMatchObject({ status: "completed" });
}

export const jobScenarios: readonly Scenario[] = [
  {
    name: "a job with a stored file completes, and its usage is counted",
    async run(queue) {
      await queue.startMedia();
      const account = await makeAccount("pro");
      const { id } = await acceptJob(account);
      expect(await waitForJobState(id)).toMatchObject({ status: "completed", attempts: 1 });
      const usage = await readUsage(db(), account.id, periodOf(new Date()));
      expect(usage).toEqual({ usedBytes: 9, reservedBytes: 0, totalJobs: 1 });
    },
  },
  {
    name: "a job whose output is sent to a store is completed after that, and its usage is counted",
    async run(queue) {
      await queue.startMedia();
      const account = await makeAccount("pro");
      const target = { urls: [`${host}/store/logo.png?signature=s`], headers: {}, keep: false };
      const params = resize.params.parse({ width: 100 });
      const picture = join(projectFolder, "public/samples/inputs/logo.png");
      const { id } = await acceptFile(account, resize.id, params, picture, { target });
      const job = await waitForJobState(id);
      const exported = { url: `${host}/store/logo.png`, etag: expect.any(String) };
      expect(job).toMatchObject({ status: "completed", outputs: [{ exported, isRemoved: true }] });
      const usage = await readUsage(db(), account.id, periodOf(new Date()));
      const { size: usedBytes } = await stat(picture);
      expect(usage).toEqual({ usedBytes, reservedBytes: 0, totalJobs: 1 });
    },
  },
  {
    name: "a job that fails because of its URL fails at once",
    async run(queue) {
      await queue.startMedia();
      const { id } = await acceptJob(await makeAccount(), `${host}/nothing-here`);
      const job = await waitForJobState(id);
      expect(job).toMatchObject({ status: "failed", errorCode: "fetch_failed", attempts: 1 });
    },
  },
  {
    name: "a job that fails with an internal error gets three attempts",
    async run(queue) {
      await queue.startMedia();
      const { id } = await acceptJob(await makeAccount(), undefined, { operation: "image/gone" });
      const job = await waitForJobState(id, undefined, 30_000);
      expect(job).toMatchObject({ status: "failed", errorCode: "internal", attempts: 3 });
    },
  },
  {
    name: "a job that was cancelled while it waited never starts",
    async run(queue) {
      const account = await makeAccount();
      const { id } = await acceptJob(account);
      await cancelJob(account.id, id);
      const next = await acceptJob(account);
      await queue.startMedia();
      await waitForJobState(next.id);
      const job = await readJob(id);
      expect(job).toMatchObject({ status: "cancelled", attempts: 0, startedAt: null });
    },
  },
  {
    name: "a job that is cancelled while it runs is stopped, and its slot is free again",
    async run(queue) {
      Object.assign(env, { MEDIA_CONCURRENCY: 1 });
      await queue.startMedia();
      const account = await makeAccount("free");
      const jobs = [await acceptJob(account, drip), await acceptJob(account, drip)];
      for (const { id } of jobs) await waitForJobState(id, isRunning);
      const waiting = await acceptJob(account);
      for (const { id } of jobs) await cancelJob(account.id, id);
      expect(await waitForJobState(waiting.id)).toMatchObject({ status: "completed" });
      for (const { id } of jobs) expect(await readJob(id)).toMatchObject({ status: "cancelled" });
    },
  },
  {
    name: "a job that is enqueued several times, before and after its end, runs once",
    async run(queue) {
      const job = await acceptJob(await makeAccount());
      await enqueueAgain(job);
      await queue.startMedia();
      await enqueueAgain(job);
      expect(await waitForJobState(job.id)).toMatchObject({ status: "completed", attempts: 1 });
      const { completedAt } = await readJob(job.id);
      await enqueueAgain(job);
      await waitForJobState((await acceptJob(await makeAccount())).id);
      expect(await readJob(job.id)).toMatchObject({ attempts: 1, completedAt });
    },
  },
  {
    name: "a late message for the fetch has no effect",
    async run(queue) {
      await queue.startMedia();
      const job = await acceptJob(await makeAccount(), `${host}/hook/late/200`);
      await waitForJobState(job.id);
      await enqueueAgain(job, "fetch");
      await waitForJobState((await acceptJob(await makeAccount(), `${host}/hook/later/200`)).id);
      expect(await readJob(job.id)).toMatchObject({ status: "completed", attempts: 1 });
    },
  },
  {
    name: "higher plans go first",
    async run(queue) {
      Object.assign(env, { MEDIA_CONCURRENCY: 1 });
      const jobs = [];
      for (const plan of ["free", "pro", "business", "enterprise"] as const) {
        jobs.unshift(await acceptJob(await makeAccount(plan)));
      }
      await queue.startMedia();
      const starts = [];
      for (const { id } of jobs) starts.push(Number((await waitForJobState(id)).startedAt));
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
    },
  },
  {
    name: "two jobs of a free account run at once, fetching or not",
    run: (queue) => expectConcurrentJobs("free", 2, queue),
  },
  {
    name: "five jobs of a pro account run at once, fetching or not",
    run: (queue) => expectConcurrentJobs("pro", 5, queue),
  },
  {
    name: "a job's end is sent to its webhook once",
    async run(queue) {
      await queue.startMedia();
      await queue.startWebhooks();
      const webhookUrl = `${host}/hook/${Date.now()}/204`;
      const { id } = await acceptJob(await makeAccount(), undefined, { webhookUrl });
      const received = async (): Promise<{ body: string }[]> => (await fetch(webhookUrl)).json();
      await waitUntil(async () => (await received()).length > 0);
      const hooks = await received();
      expect(hooks.map(({ body }) => JSON.parse(body))).toMatchObject([
        { type: "job.completed", data: { id, status: "completed" } },
      ]);
    },
  },
  {
    name: "a webhook whose receiver responds with an error is sent again later",
    async run(queue) {
      await queue.startMedia();
      await queue.startWebhooks();
      const webhookUrl = `${host}/hook/${Date.now()}/500-200`;
      await acceptJob(await makeAccount(), undefined, { webhookUrl });
      const received = async (): Promise<{ at: number }[]> => (await fetch(webhookUrl)).json();
      await waitUntil(async () => (await received()).length === 2);
      const [first, second] = await received();
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4800);
    },
  },
  {
    name: "the job of a runner that vanished is picked up by another",
    async run(queue) {
      const { id } = await acceptJob(await makeAccount());
      await claimJob(db(), { jobId: id, token: "vanished" }, 0, "run");
      await queue.startMedia();
      await recoverLostJobs();
      const job = await waitForJobState(id);
      expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 1 });
    },
  },
  {
    name: "a job that must run exclusively waits for an idle runner, and the others go on after it",
    async run(queue) {
      const account = await makeAccount();
      const exclusive = await queue.losingMessages(() => acceptJob(account));
      await db().execute(
        sql`update jobs set runner_deaths = 2, run_after = now() + interval '1 hour'`,
      );
      await queue.startMedia();
      const slow = await acceptJob(account, drip);
      await waitForJobState(slow.id, isRunning);
      await db().execute(sql`update jobs set run_after = now() where id = ${exclusive.id}`);
      await enqueueAgain(exclusive);
      await waitForJobState(exclusive.id, (job) => job.runnerDrainsUntil !== null);
      const others = [await acceptJob(account), await acceptJob(account)];
      expect(await readJob(exclusive.id)).toMatchObject({ status: "pending" });
      await cancelJob(account.id, slow.id);
      for (const { id } of [exclusive, ...others]) {
        expect(await waitForJobState(id)).toMatchObject({ status: "completed", attempts: 1 });
      }
    },
  },
  {
    name: "an attempt that a stopping runner interrupts is not counted",
    async run(queue) {
      const runner = await queue.startMedia({ gracePeriodSeconds: 0.1 });
      const account = await makeAccount();
      const { id } = await acceptJob(account, drip);
      await waitForJobState(id, isRunning);
      await runner.stop();
      expect(await readJob(id)).toMatchObject({ status: "processing", attempts: 0 });
      await queue.startMedia();
      await waitForJobState(id, isRunning);
      await cancelJob(account.id, id);
      expect(await readJob(id)).toMatchObject({ status: "cancelled", runnerDeaths: 0 });
    },
  },
  {
    name: "a job whose message was lost is enqueued again",
    async run(queue) {
      const account = await makeAccount();
      const { id } = await queue.losingMessages(() => acceptJob(account));
      await queue.startMedia();
      await reenqueueWaiting({ notEnqueuedSeconds: 0, unclaimedSeconds: 0 });
      expect(await waitForJobState(id)).toMatchObject({ status: "completed", attempts: 1 });
    },
  },
];
