import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { h264, makeVideo, testPattern } from "#tests/samples/videos.ts";
import {
  acceptFile,
  acceptJob,
  makeAccount,
  readJob,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { RunnerProcess, SupervisedRunner } from "#tests/service/runner-process.ts";

vi.setConfig({ testTimeout: 300_000 });

const plan = new FaultPlan();
const running: RunnerProcess[] = [];

/** Videos need no other engines, and a runner that is killed and started again starts all that it has. */
const variables = {
  ...plan.variables,
  MEDIA_CONCURRENCY: "2",
  MEDIA_ENGINES: "av",
  TEST_GRACE_SECONDS: "0.2",
  // A lease of a busy machine may not expire, that of a killed runner must.
  TEST_LEASE_SECONDS: "6",
};

/** Starts or stops runners until exactly `count` are live. Reuses the runners of earlier tests. */
async function useRunners(count: number): Promise<RunnerProcess[]> {
  const alive = running.splice(0).filter((runner) => runner.isAlive);
  await Promise.all(alive.splice(count).map((runner) => runner.stop()));
  const missing = Array.from({ length: count - alive.length }, () =>
    RunnerProcess.start(variables),
  );
  running.push(...alive, ...(await Promise.all(missing)));
  return [...running];
}

afterEach(async () => {
  await db().execute(sql`delete from jobs`);
});
afterAll(async () => {
  await useRunners(0);
  plan.remove();
});

/** Makes a video that is long enough to be still in work when the test interferes. */
const video = (seconds: number) =>
  makeVideo("mp4", ...testPattern(`size=640x360:rate=30:duration=${seconds}`), ...h264);

const acceptVideo = async (seconds = 20) =>
  acceptFile(await makeAccount(), "video/framerate", { fps: 24 }, video(seconds));

const isOnEngine = (job: JobRow) => job.leaseToken !== null && job.progress > 0;
/** A timeout that is long enough for a machine under load. */
const timeoutMs = 150_000;

it("two runners share 40 jobs, and each job is worked on once", async () => {
  const account = await makeAccount();
  const acceptSome = () => Promise.all(Array.from({ length: 20 }, () => acceptJob(account)));
  const before = await acceptSome();
  const runners = await useRunners(2);
  // The runner that is ready first may have done the others already.
  const ids = [...before, ...(await acceptSome())].map(({ id }) => id);
  const countStarts = (id: string) =>
    runners.flatMap(({ started }) => started).filter((one) => one === id).length;
  for (const id of ids) {
    const { status, attempts, runnerDeaths } = await waitForJobState(id, undefined, timeoutMs);
    expect([status, attempts, runnerDeaths, countStarts(id)]).toEqual(["completed", 1, 0, 1]);
  }
  expect(runners.filter((runner) => runner.started.length > 0)).toHaveLength(2);
  const usage = await readUsage(db(), account.id, periodOf(new Date()));
  expect(usage).toEqual({ usedBytes: 360, reservedBytes: 0, totalJobs: 40 });
});

it("the job of a killed runner is completed by another running runner", async () => {
  const runners = await useRunners(2);
  const { id } = await acceptVideo();
  await waitForJobState(id, isOnEngine, timeoutMs);
  const [owner] = runners.filter((runner) => runner.started.includes(id));
  await owner?.kill();
  const job = await waitForJobState(id, undefined, timeoutMs);
  expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 1 });
  expect(runners.filter((runner) => runner.started.includes(id))).toHaveLength(2);
});

it("SIGTERM during a job: exit code 0, another runner completes the job, the attempt is not counted", async () => {
  const [runner] = await useRunners(1);
  // Too long for a fast machine to complete within the grace period.
  const { id } = await acceptVideo(30);
  await waitForJobState(id, isOnEngine, timeoutMs);
  const startedAt = Date.now();
  expect(await runner?.stop()).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  const released = { status: "processing", leaseToken: null, attempts: 0, runnerDeaths: 0 };
  expect(await readJob(id)).toMatchObject(released);
  await useRunners(1);
  const job = await waitForJobState(id, undefined, timeoutMs);
  expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 0 });
});

it("a job that kills its runners runs exclusively from the second death on, and is set aside", async () => {
  await useRunners(0);
  const before = [await acceptVideo(8), await acceptVideo(8)];
  const poison = await acceptVideo(8);
  const after = await acceptVideo(8);
  plan.arm("in-engine", { action: "kill", subject: poison.id, always: true });
  const setDeaths = (count: number) =>
    db().execute(sql`update jobs set runner_deaths = ${count} where id = ${poison.id}`);
  await setDeaths(2);
  const supervised = new SupervisedRunner(variables);
  try {
    await waitForJobState(poison.id, (job) => job.runnerDeaths === 3, timeoutMs);
    await setDeaths(9);
    const end = await waitForJobState(poison.id, undefined, timeoutMs);
    expect(end).toMatchObject({ status: "failed", errorCode: "set_aside", runnerDeaths: 10 });
    // A job that ran next to it would have lost its runner too.
    for (const { id } of [...before, after]) {
      const job = await waitForJobState(id, undefined, timeoutMs);
      expect(job).toMatchObject({ status: "completed", runnerDeaths: 0 });
    }
  } finally {
    await supervised.stop();
  }
});
