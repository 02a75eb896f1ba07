import { sql } from "drizzle-orm";
import { afterEach, expect, inject, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";

/** Runners that only react to notifications and never poll. */
vi.mock("#times", async (importOriginal) => {
  const { times } = await importOriginal<typeof import("#lib/times.ts")>();
  return { times: { ...times, pollMs: 600_000, recoveryMs: 600_000 } };
});

const stops: (() => Promise<void>)[] = [];
const drip = `http://127.0.0.1:${inject("hostPort")}/drip`;

async function start(): Promise<void> {
  const runner = await startMediaRunner(shortTimes);
  stops.push(runner.stop);
}

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db().execute(sql`delete from jobs`);
});

const isRunning = (job: JobRow) => job.leaseToken !== null;

it("a busy runner that receives a message wakes an idle one, which claims the job", async () => {
  await start();
  const account = await makeAccount();
  // Sixteen fetches use all fetch slots of one runner.
  const slow: JobRow[] = [];
  for (let count = 0; count < 16; count++) slow.push(await acceptJob(account, drip));
  for (const { id } of slow) await waitForJobState(id, isRunning);
  await start();
  const more: JobRow[] = [];
  for (let count = 0; count < 3; count++) more.push(await acceptJob(account, drip));
  for (const { id } of more) await waitForJobState(id, isRunning);
});

it("a job that waits because of its plan starts when another job of its account ends", async () => {
  await start();
  const account = await makeAccount("free");
  const jobs = [await acceptJob(account, drip), await acceptJob(account, drip)];
  for (const { id } of jobs) await waitForJobState(id, isRunning);
  const waiting = await acceptJob(account);
  await cancelJob(account.id, jobs[0]?.id ?? "");
  expect(await waitForJobState(waiting.id)).toMatchObject({ status: "completed" });
});
