import { existsSync, readdirSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { dataPath } from "#lib/env.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { listBelow } from "#tests/support/list-below.ts";

const drip = `http://127.0.0.1:${inject("hostPort")}/drip`;
const stops: (() => Promise<void>)[] = [];

async function start(times = shortTimes) {
  const runner = await startMediaRunner(times);
  stops.push(runner.stop);
  return runner;
}

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db().execute(sql`delete from jobs`);
});

const isRunning = (job: JobRow) => job.leaseToken !== null;
const usageOf = (accountId: string) => readUsage(db(), accountId, periodOf(new Date()));

describe("a runner", () => {
  it("completes a job that was accepted before it started, and leaves no folder", async () => {
    const account = await makeAccount();
    const { id } = await acceptJob(account);
    await start();
    expect(await waitForJobState(id)).toMatchObject({
      status: "completed",
      attempts: 1,
      progress: 100,
    });
    expect(await usageOf(account.id)).toEqual({ usedBytes: 9, reservedBytes: 0, totalJobs: 1 });
    expect(
      existsSync(processPath())
        ? readdirSync(processPath()).filter((name) => name.startsWith("job_"))
        : [],
    ).toEqual([]);
  });

  it("picks up the job of a vanished runner and does not count an attempt", async () => {
    const { id } = await acceptJob(await makeAccount());
    await claimJob(db(), { jobId: id, token: "vanished" }, 0.1, "run");
    await start();
    expect(await waitForJobState(id)).toMatchObject({
      status: "completed",
      attempts: 1,
      runnerDeaths: 1,
    });
  });

  it("sets aside a job with ten runner deaths", async () => {
    const account = await makeAccount();
    const { id } = await acceptJob(account);
    await db().execute(sql`update jobs set runner_deaths = 10 where id = ${id}`);
    await start();
    expect(await waitForJobState(id)).toMatchObject({ status: "failed", errorCode: "set_aside" });
    expect(await usageOf(account.id)).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
  });

  it("fails a job that runs longer than the maximum", async () => {
    await start({ ...shortTimes, timeoutSeconds: 0.5 });
    const { id } = await acceptJob(await makeAccount(), drip);
    expect(await waitForJobState(id)).toMatchObject({
      status: "failed",
      errorCode: "timed_out",
      error: "The job ran longer than the maximum of 0.5 seconds.",
    });
  });

  it("that stops releases its unfinished job, and the attempt is not counted", async () => {
    const runner = await start();
    const { id } = await acceptJob(await makeAccount(), drip);
    await waitForJobState(id, isRunning);
    await runner.stop();
    stops.length = 0;
    expect(await readJob(id)).toMatchObject({
      status: "processing",
      leaseToken: null,
      attempts: 0,
    });
  });

  it("stops a cancelled job within two seconds and releases its reservation", async () => {
    const account = await makeAccount("pro");
    await start();
    const { id } = await acceptJob(account, drip);
    await waitForJobState(id, isRunning);
    await cancelJob(account.id, id);
    const deadline = Date.now() + 2000;
    while ((await folderOf(id)) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await folderOf(id)).toBeUndefined();
    expect(await readJob(id)).toMatchObject({ status: "cancelled", leaseToken: null });
    expect(await usageOf(account.id)).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
  });

  it("makes three attempts after an internal error, and then fails with a message that hides it", async () => {
    const { id } = await acceptJob(await makeAccount());
    await db().execute(sql`update jobs set operation = 'image/gone' where id = ${id}`);
    await start();
    const job = await waitForJobState(id, undefined, 30_000);
    expect(job).toMatchObject({ status: "failed", errorCode: "internal", attempts: 3 });
    expect(job.error).toBe("An internal error occurred. Try again.");
  });

  it("runs jobs while sources are slow: fetching uses no engine slot", async () => {
    await start();
    const account = await makeAccount();
    for (let count = 0; count < 10; count++) await acceptJob(account, drip);
    const { id } = await acceptJob(account);
    expect(await waitForJobState(id)).toMatchObject({ status: "completed" });
  });
});

async function folderOf(id: string): Promise<string | undefined> {
  const entries = existsSync(dataPath("work")) ? await listBelow(dataPath("work")) : [];
  return entries.find(({ path }) => path.includes(id))?.path;
}
