import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { startInngestMediaRunner } from "#inngest/media-runner.ts";
import { renderQueueMetrics } from "#lib/api/endpoints/service/queue-metrics.ts";
import { readReadiness } from "#lib/api/endpoints/service/readiness.ts";
import { db } from "#lib/db/client.ts";
import { holdPresence } from "#lib/db/presence.ts";
import {
  listAbsentRunners,
  listLiveRunners,
  liveSeconds,
  recordHeartbeat,
} from "#lib/db/queries/jobs/runners.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { env } from "#lib/env.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { countSlots, releaseDeadRunners } from "#lib/jobs/runner/dead-runners.ts";
import { startHeartbeat } from "#lib/jobs/runner/heartbeat.ts";
import { fetchConcurrency, type Runner } from "#lib/jobs/runner/media-runner.ts";
import { queue } from "#lib/queue/index.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { wakeClaimingRuns } from "#lib/queue/work-available.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

const host = `http://127.0.0.1:${inject("hostPort")}`;
const { MEDIA_CONCURRENCY, METRICS_TOKEN } = env;
const stops: (() => Promise<void>)[] = [];
const isRunning = (job: JobRow) => job.leaseToken !== null;

async function start(): Promise<Runner> {
  const runner = await startInngestMediaRunner(shortTimes);
  stops.push(() => runner.stop());
  await waitUntil(() => runner.isWorking());
  return runner;
}

/** A runner that reports its runs. */
async function startWithHeartbeat(): Promise<void> {
  const runner = await start();
  const heartbeat = await startHeartbeat("media", () => ({
    engines: {},
    ...(runner.openRuns && { queue: { ...runner.openRuns.takeReport(), isConnected: true } }),
  }));
  stops.unshift(() => heartbeat.stop());
  if (runner.openRuns) runner.openRuns.onChange = heartbeat.beat;
}

/** Accepts jobs whose messages are lost. */
async function acceptWithoutMessage(count: number): Promise<JobRow[]> {
  const account = await makeAccount();
  inngest.dropsEvents = true;
  const jobs: JobRow[] = [];
  for (let number = 0; number < count; number++) jobs.push(await acceptJob(account));
  inngest.dropsEvents = false;
  return jobs;
}

const runOf = (jobId: string) => inngest.executor.runsOf("mediamill-media-run-job", jobId)[0];

beforeEach(() => {
  Object.assign(env, { MEDIA_CONCURRENCY, METRICS_TOKEN });
  // Messages of earlier tests would start runs here.
  inngest.executor.cancelRuns();
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db().execute(sql`delete from jobs`);
  await db().execute(sql`delete from runners`);
});

it("the history of a run has one step for each job, with its operation and outcome", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 1 });
  await start();
  const [first] = await acceptWithoutMessage(1);
  const { id } = await acceptJob(await makeAccount("pro"));
  await waitUntil(() => runOf(id)?.status === "completed");
  const report = {
    outcome: "processed",
    status: "completed",
    plan: "pro",
    attempt: 1,
    duration_ms: expect.any(Number),
    age_ms: expect.any(Number),
    phases_ms: expect.objectContaining({ queued: expect.any(Number) }),
  };
  const name = "run pipeline/file-inspect";
  const step = (data: object) => ({ name, data: expect.objectContaining({ ...report, ...data }) });
  expect(runOf(id)?.history).toEqual([
    step({ job: first?.id, plan: "enterprise" }),
    step({ job: id }),
  ]);
  expect(runOf(id)?.attempts).toEqual([0]);
});

it("a run that claims nothing has no step", async () => {
  await start();
  const account = await makeAccount();
  const { id } = await acceptJob(account);
  await waitForJobState(id);
  const message = { jobId: id, accountId: account.id, plan: "enterprise", stage: "run" } as const;
  const again = { ...message, dedupeKey: "again", delaySeconds: 0 };
  await (await (await queue()).enqueueJob(db(), again))();
  const runOfAgain = () =>
    inngest.executor.runs.find(({ event }) => event.data.messageId === `${id}:again`);
  await waitUntil(() => runOfAgain()?.status === "completed");
  expect(runOfAgain()).toMatchObject({
    history: [],
    output: { jobs: [], ended: "nothing_to_claim" },
  });
});

it("no run leaves a queue item behind, which would keep its slot", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 2 });
  const runner = await start();
  const account = await makeAccount();
  for (let count = 0; count < 8; count++) {
    const { id } = await acceptJob(account, count % 2 ? undefined : `${host}/hook/input/200`);
    await waitForJobState(id);
  }
  await runner.stop();
  expect(inngest.executor.lateItems).toBe(0);
});

it("a job brings no message while each slot has a run that claims again", async () => {
  await startWithHeartbeat();
  const account = await makeAccount();
  const slow: JobRow[] = [];
  for (let count = 0; count < fetchConcurrency; count++) {
    slow.push(await acceptJob(account, `${host}/drip`));
  }
  for (const { id } of slow) await waitForJobState(id, isRunning);
  await waitUntil(async () => (await wakeClaimingRuns("fetch")) === 0);
  const { id } = await acceptJob(account, `${host}/hook/other/200`);
  const messages = () => inngest.events.filter(({ data }) => data.jobId === id);
  expect(messages()).toEqual([]);
  const [first, ...others] = slow;
  await cancelJob(account.id, first?.id ?? "");
  expect(await waitForJobState(id)).toMatchObject({ status: "completed" });
  // For the other stage, which has a free slot.
  expect(messages()).toMatchObject([{ name: eventNames.run }]);
  for (const one of others) await cancelJob(account.id, one.id);
});

it("a run that waits takes the next job without a message, and the jobs that came with it start too", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 2 });
  await startWithHeartbeat();
  const account = await makeAccount();
  await waitForJobState((await acceptJob(account)).id);
  // Not by `wakeClaimingRuns`, which would wake it.
  await waitUntil(async () => {
    const [report] = await listLiveRunners(db(), "media", liveSeconds);
    return report?.queue?.waitingRuns?.run === 1;
  });
  const jobs = await Promise.all([acceptJob(account), acceptJob(account), acceptJob(account)]);
  for (const { id } of jobs) await waitForJobState(id, undefined, 8000);
  const accepted = jobs.map(({ id }) => `${id}:run-0`);
  expect(inngest.events.filter(({ id }) => accepted.includes(id)).length).toBeLessThan(3);
});

it("a burst of jobs brings hardly more messages than slots have no run", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 2 });
  await startWithHeartbeat();
  const account = await makeAccount();
  const jobs = await Promise.all(Array.from({ length: 20 }, () => acceptJob(account)));
  for (const { id } of jobs) await waitForJobState(id, undefined, 8000);
  const ids = jobs.map(({ id }) => id);
  expect(inngest.events.filter(({ data }) => ids.includes(String(data.jobId))).length).toBeLessThan(
    6,
  );
});

it("a run of a killed runner does not count as one that waits", async () => {
  const queueState = {
    isConnected: true,
    slots: { run: 2 },
    openRuns: { run: ["job_1:run-0"] },
    claimingRuns: { run: 1 },
    waitingRuns: { run: 1 },
  };
  await recordHeartbeat(db(), {
    id: "media-killed",
    kind: "media",
    report: { engines: {}, queue: queueState },
  });
  expect(await wakeClaimingRuns("run")).toBe(1);
  const leave = holdPresence("media-killed");
  stops.unshift(leave);
  await waitUntil(async () => (await wakeClaimingRuns("run")) === 0);
});

it("a runner that connects takes jobs that brought no message", async () => {
  const jobs = await acceptWithoutMessage(2);
  await start();
  for (const { id } of jobs) await waitForJobState(id, undefined, 8000);
});

it("one message is enough for all jobs that wait", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 1 });
  await start();
  const jobs = await acceptWithoutMessage(4);
  jobs.push(await acceptJob(await makeAccount()));
  for (const { id } of jobs) await waitForJobState(id);
});

it("an account of plan business runs 20 jobs at once on several runners, and no more", async () => {
  await start();
  await start();
  const account = await makeAccount("business");
  const jobs: JobRow[] = [];
  for (let count = 0; count < 22; count++) jobs.push(await acceptJob(account, `${host}/drip`));
  const countRunning = async () => {
    const [row] = await db().execute<{ count: number }>(sql`
      select count(*)::int from jobs where account_id = ${account.id} and lease_token is not null`);
    return row?.count;
  };
  await waitUntil(async () => (await countRunning()) === 20);
  const other = await acceptJob(await makeAccount("business"), `${host}/hook/other/200`);
  await waitForJobState(other.id);
  expect(await countRunning()).toBe(20);
  for (const { id } of jobs) await cancelJob(account.id, id);
});

it("a job goes on when Inngest ends its run, and the runner takes no job too many", async () => {
  Object.assign(env, { MEDIA_CONCURRENCY: 1 });
  await start();
  const account = await makeAccount();
  const slow = await acceptJob(account, `${host}/drip`);
  const { leaseToken } = await waitForJobState(slow.id, isRunning);
  const run = inngest.executor.runsOf("mediamill-fetch-fetch-inputs", slow.id)[0];
  await (await queue()).endRuns([`${slow.id}:fetch-0`]);
  expect(run?.status).toBe("cancelled");
  const other = await acceptJob(account);
  await waitForJobState(other.id);
  expect(await readJob(slow.id)).toMatchObject({ status: "processing", leaseToken });
  await cancelJob(account.id, slow.id);
});

it("slots that Inngest keeps for a dead runner are reported until its runs are ended", async () => {
  const queueState = {
    isConnected: true,
    slots: { run: 2 },
    openRuns: { run: ["job_1:run-0", "job_2:run-0"] },
  };
  const report: RunnerReport = { engines: {}, queue: queueState };
  await recordHeartbeat(db(), { id: "media-dead", kind: "media", report });
  await db().execute(sql`update runners set last_heartbeat_at = now() - interval '20 seconds'`);
  // After a start of the database, runners have time to take their locks.
  await waitUntil(async () => (await listAbsentRunners(db(), liveSeconds)).length > 0, 20_000);
  await inngest.close();
  await releaseDeadRunners();
  expect(await countSlots("run")).toEqual({ live: 0, heldByDead: 2 });
  expect(await renderQueueMetrics()).toContain('mediamill_held_slots{kind="run"} 2');
  Object.assign(env, { METRICS_TOKEN: "token-of-the-operator" });
  const headers = { Authorization: `Bearer ${env.METRICS_TOKEN}` };
  const request = new Request("http://localhost/readyz", { headers });
  // The handler reads only the request.
  const response = (await readReadiness.handler({ request } as never)) as Response;
  expect(await response.json()).toMatchObject({ status: "unavailable", held_slots: 2 });
  await inngest.listen();
  await releaseDeadRunners();
  expect(await countSlots("run")).toEqual({ live: 0, heldByDead: 0 });
  const lost = inngest.events.filter(({ name }) => name === eventNames.lost).slice(-2);
  expect(lost.map(({ data }) => data.messageId)).toEqual(queueState.openRuns.run);
});

it("a runner that loses its connection to the database takes its lock again", async () => {
  const state = { isConnected: true, slots: { run: 1 }, openRuns: {} };
  const heartbeat = await startHeartbeat("media", () => ({ engines: {}, queue: state }));
  stops.push(() => heartbeat.stop());
  const listAbsent = () => listAbsentRunners(db(), liveSeconds);
  await waitUntil(async () => (await listAbsent()).length === 0);
  const sessions = sql`select pid from pg_stat_activity
    where application_name like '%-presence' and datname = current_database()`;
  const [before] = await db().execute<{ pid: number }>(sessions);
  await db().execute(sql`select pg_terminate_backend(${before?.pid}::int)`);
  await waitUntil(async () => {
    const [after] = await db().execute<{ pid: number }>(sessions);
    return after !== undefined && after.pid !== before?.pid && (await listAbsent()).length === 0;
  });
});
