import { expect, inject } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { claimJob } from "#lib/db/queries/jobs/claims.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { cancelJob } from "#lib/jobs/actions/actions.ts";
import { jobMessage } from "#lib/jobs/queue-message.ts";
import type { LeaseTimes } from "#lib/jobs/run/lease.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { recoverLostJobs, reenqueueWaiting } from "#lib/jobs/runner/sweep.ts";
import { queue } from "#lib/queue/index.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { waitUntil } from "../support/processes.ts";
import { acceptJob, eventually, makeAccount, readJob } from "./jobs.ts";

/** A queue and its runners, as the scenarios drive them. */
export interface QueueUnderTest {
  startMedia(times?: Partial<LeaseTimes>): Promise<Runner>;
  startWebhooks(): Promise<Runner>;
  /** Everything that is announced while `work` runs is lost on the way. */
  losingMessages<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What becomes of jobs; the same under every queue. */
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

/** Tells the queue of a job once more than it needs. */
async function announceAgain(job: JobRow, stage?: JobStage): Promise<void> {
  const opened = await queue();
  const needed = jobMessage(await readJob(job.id), { again: true });
  const ticket = { ...needed, stage: stage ?? needed.stage };
  await (await transaction((tx) => opened.enqueueJob(tx, ticket)))();
}

/** Accepts `count` jobs of one account and says how many run once no more begin. */
async function expectAtOnce(
  plan: "free" | "pro",
  most: number,
  queue: QueueUnderTest,
): Promise<void> {
  await queue.startMedia();
  const account = await makeAccount(plan);
  const jobs: JobRow[] = [];
  for (let count = 0; count < most + 2; count++) jobs.push(await acceptJob(account, drip));
  await waitUntil(async () => (await countRunning(jobs)) >= most);
  // Another account's job comes and goes meanwhile: time in which a further one would have begun.
  const other = await acceptJob(await makeAccount(plan));
  expect(await eventually(other.id)).toMatchObject({ status: "completed" });
  const upload = await acceptJob(account);
  const [last] = jobs.slice(-1);
  expect(await countRunning(jobs)).toBe(most);
  expect(await readJob(upload.id)).toMatchObject({ status: "pending" });
  for (const { id } of jobs.slice(0, most)) await cancelJob(account.id, id);
  await eventually(last?.id ?? "", isRunning);
  for (const { id } of jobs) await cancelJob(account.id, id);
  expect(await eventually(upload.id)).toMatchObject({ status: "completed" });
}

export const jobScenarios: readonly Scenario[] = [
  {
    name: "a job of an upload completes, and its usage is counted",
    async run(queue) {
      await queue.startMedia();
      const account = await makeAccount("pro");
      const { id } = await acceptJob(account);
      expect(await eventually(id)).toMatchObject({ status: "completed", attempts: 1 });
      const usage = await readUsage(db(), account.id, periodOf(new Date()));
      expect(usage).toEqual({ usedBytes: 9, reservedBytes: 0, totalJobs: 1 });
    },
  },
  {
    name: "a job whose file is the caller's fault fails at once",
    async run(queue) {
      await queue.startMedia();
      const { id } = await acceptJob(await makeAccount(), `${host}/nothing-here`);
      const job = await eventually(id);
      expect(job).toMatchObject({ status: "failed", errorCode: "fetch_failed", attempts: 1 });
    },
  },
  {
    name: "a job that fails for our reasons is tried three times",
    async run(queue) {
      await queue.startMedia();
      const { id } = await acceptJob(await makeAccount(), undefined, { operation: "image/gone" });
      const job = await eventually(id, undefined, 30_000);
      expect(job).toMatchObject({ status: "failed", errorCode: "internal", attempts: 3 });
    },
  },
  {
    name: "a job that was cancelled while it waited never begins",
    async run(queue) {
      const account = await makeAccount();
      const { id } = await acceptJob(account);
      await cancelJob(account.id, id);
      const next = await acceptJob(account);
      await queue.startMedia();
      await eventually(next.id);
      const job = await readJob(id);
      expect(job).toMatchObject({ status: "cancelled", attempts: 0, startedAt: null });
    },
  },
  {
    name: "a job that is cancelled while it runs is stopped, and its place is free again",
    async run(queue) {
      Object.assign(env, { MEDIA_CONCURRENCY: 1 });
      await queue.startMedia();
      const account = await makeAccount("free");
      const jobs = [await acceptJob(account, drip), await acceptJob(account, drip)];
      for (const { id } of jobs) await eventually(id, isRunning);
      const waiting = await acceptJob(account);
      for (const { id } of jobs) await cancelJob(account.id, id);
      expect(await eventually(waiting.id)).toMatchObject({ status: "completed" });
      for (const { id } of jobs) expect(await readJob(id)).toMatchObject({ status: "cancelled" });
    },
  },
  {
    name: "a job that is handed over three times, before and after its end, runs once",
    async run(queue) {
      const job = await acceptJob(await makeAccount());
      await announceAgain(job);
      await queue.startMedia();
      await announceAgain(job);
      expect(await eventually(job.id)).toMatchObject({ status: "completed", attempts: 1 });
      const { completedAt } = await readJob(job.id);
      await announceAgain(job);
      await eventually((await acceptJob(await makeAccount())).id);
      expect(await readJob(job.id)).toMatchObject({ attempts: 1, completedAt });
    },
  },
  {
    name: "an announcement of the fetch that comes late begins nothing",
    async run(queue) {
      await queue.startMedia();
      const job = await acceptJob(await makeAccount(), `${host}/hook/late/200`);
      await eventually(job.id);
      await announceAgain(job, "fetch");
      await eventually((await acceptJob(await makeAccount(), `${host}/hook/later/200`)).id);
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
      for (const { id } of jobs) starts.push(Number((await eventually(id)).startedAt));
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
    },
  },
  {
    name: "two jobs of a free account run at once, fetching or not",
    run: (queue) => expectAtOnce("free", 2, queue),
  },
  {
    name: "five jobs of a pro account run at once, fetching or not",
    run: (queue) => expectAtOnce("pro", 5, queue),
  },
  {
    name: "a job's end is told to its webhook, once",
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
    name: "a webhook that is refused is tried again later",
    async run(queue) {
      await queue.startMedia();
      await queue.startWebhooks();
      const webhookUrl = `${host}/hook/${Date.now()}/500-200`;
      await acceptJob(await makeAccount(), undefined, { webhookUrl });
      const received = async (): Promise<{ at: number }[]> => (await fetch(webhookUrl)).json();
      await waitUntil(async () => (await received()).length === 2);
      const [first, second] = await received();
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4900);
    },
  },
  {
    name: "the job of a runner that vanished is picked up by another",
    async run(queue) {
      const { id } = await acceptJob(await makeAccount());
      await claimJob(db(), { jobId: id, token: "vanished" }, 0, "run");
      await queue.startMedia();
      await recoverLostJobs();
      const job = await eventually(id);
      expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 1 });
    },
  },
  {
    name: "a job that a stopping runner hands back is not counted as tried",
    async run(queue) {
      const runner = await queue.startMedia({ gracePeriodSeconds: 0.1 });
      const account = await makeAccount();
      const { id } = await acceptJob(account, drip);
      await eventually(id, isRunning);
      await runner.stop();
      expect(await readJob(id)).toMatchObject({ status: "processing", attempts: 0 });
      await queue.startMedia();
      await eventually(id, isRunning);
      await cancelJob(account.id, id);
      expect(await readJob(id)).toMatchObject({ status: "cancelled", runnerDeaths: 0 });
    },
  },
  {
    name: "a job whose announcement was lost is announced again",
    async run(queue) {
      const account = await makeAccount();
      const { id } = await queue.losingMessages(() => acceptJob(account));
      await queue.startMedia();
      await reenqueueWaiting({ notEnqueuedSeconds: 0, unclaimedSeconds: 0 });
      expect(await eventually(id)).toMatchObject({ status: "completed", attempts: 1 });
    },
  },
];
