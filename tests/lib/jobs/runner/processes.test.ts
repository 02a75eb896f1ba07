import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { h264, makeVideo, picture } from "#tests/samples/videos.ts";
import { acceptFile, acceptJob, eventually, makeAccount, readJob } from "#tests/service/jobs.ts";
import { RunnerProcess, SupervisedRunner } from "#tests/service/runner-process.ts";

vi.setConfig({ testTimeout: 300_000 });

const plan = new FaultPlan();
const running: RunnerProcess[] = [];

/** Exactly `count` runners that live; those that other tests have left serve as well. */
async function haveRunners(count: number): Promise<RunnerProcess[]> {
  const alive = running.splice(0).filter((runner) => runner.isAlive);
  await Promise.all(alive.splice(count).map((runner) => runner.stop()));
  const missing = Array.from({ length: count - alive.length }, () =>
    RunnerProcess.start({ ...plan.variables, MEDIA_CONCURRENCY: "2" }),
  );
  running.push(...alive, ...(await Promise.all(missing)));
  return [...running];
}

afterEach(async () => {
  await db().execute(sql`delete from jobs`);
});
afterAll(async () => {
  await haveRunners(0);
  plan.remove();
});

/** Long enough to be worked on when something happens. */
const film = (seconds: number) =>
  makeVideo("mp4", ...picture(`size=640x360:rate=30:duration=${seconds}`), ...h264);

const acceptFilm = async (seconds = 20) =>
  acceptFile(await makeAccount(), "video/framerate", { fps: 24 }, film(seconds));

const isOnEngine = (job: JobRow) => job.leaseToken !== null && job.progress > 0;
/** For a machine that has much else to do. */
const patienceMs = 150_000;

it("100 jobs over two runners are each worked on once, by both", async () => {
  const account = await makeAccount();
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    const some = await Promise.all(Array.from({ length: 20 }, () => acceptJob(account)));
    ids.push(...some.map(({ id }) => id));
  }
  const runners = await haveRunners(2);
  const began = (id: string) =>
    runners.flatMap(({ started }) => started).filter((one) => one === id).length;
  for (const id of ids) {
    const { status, attempts, runnerDeaths } = await eventually(id, undefined, patienceMs);
    // Twice only where a machine under load let a lease run out, which is counted.
    expect([status, began(id)]).toEqual(["completed", attempts + runnerDeaths]);
  }
  expect(runners.filter((runner) => runner.started.length > 0)).toHaveLength(2);
  const usage = await readUsage(db(), account.id, periodOf(new Date()));
  expect(usage).toEqual({ usedBytes: 900, reservedBytes: 0, totalJobs: 100 });
});

it("the job of a killed runner is completed by another that was there already", async () => {
  const runners = await haveRunners(2);
  const { id } = await acceptFilm();
  await eventually(id, isOnEngine, patienceMs);
  const [owner] = runners.filter((runner) => runner.started.includes(id));
  await owner?.kill();
  const job = await eventually(id, undefined, patienceMs);
  expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 1 });
  expect(runners.filter((runner) => runner.started.includes(id))).toHaveLength(2);
});

it("SIGTERM amid a job: exits with 0, the job ends elsewhere, and its try was not counted", async () => {
  const [runner] = await haveRunners(1);
  // A fast machine has done more than one second's grace takes.
  const { id } = await acceptFilm(120);
  await eventually(id, isOnEngine, patienceMs);
  const startedAt = Date.now();
  expect(await runner?.stop()).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  const left = { status: "processing", leaseToken: null, attempts: 0, runnerDeaths: 0 };
  expect(await readJob(id)).toMatchObject(left);
  await haveRunners(1);
  const job = await eventually(id, undefined, patienceMs);
  expect(job).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 0 });
});

it("what kills its runners runs alone from the second death on, gets its turn, and is set aside", async () => {
  await haveRunners(0);
  const before = [await acceptFilm(), await acceptFilm()];
  const poison = await acceptFilm();
  const after = await acceptFilm();
  plan.arm("in-engine", { act: "kill", subject: poison.id, always: true });
  const deaths = (count: number) =>
    db().execute(sql`update jobs set runner_deaths = ${count} where id = ${poison.id}`);
  await deaths(2);
  const supervised = new SupervisedRunner({ ...plan.variables, MEDIA_CONCURRENCY: "2" });
  try {
    await eventually(poison.id, (job) => job.runnerDeaths === 3, patienceMs);
    await deaths(9);
    const end = await eventually(poison.id, undefined, patienceMs);
    expect(end).toMatchObject({ status: "failed", errorCode: "set_aside", runnerDeaths: 10 });
    // Whatever had run beside it would have died with it.
    for (const { id } of [...before, after]) {
      const job = await eventually(id, undefined, patienceMs);
      expect(job).toMatchObject({ status: "completed", runnerDeaths: 0 });
    }
  } finally {
    await supervised.stop();
  }
});
