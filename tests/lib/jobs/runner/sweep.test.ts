import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { dataPath } from "#lib/env.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { recoverLostJobs, sweep } from "#lib/jobs/runner/sweep.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

it("the files of a job are deleted when its retention ends, and not before; its record stays", async () => {
  const runner = await startMediaRunner(shortTimes);
  const account = await makeAccount("free");
  const { id } = await acceptJob(account);
  const { expiresAt, completedAt } = await waitForJobState(id);
  await runner.stop();
  const files = [dataPath("storage/inputs", id), dataPath("storage/outputs", id)];
  expect((Number(expiresAt) - Number(completedAt)) / 3_600_000).toBeCloseTo(24, 1);
  await sweep();
  expect(files.map((file) => existsSync(file))).toEqual([true, true]);
  await db().execute(
    sql`update jobs set expires_at = now() - interval '1 second' where id = ${id}`,
  );
  await sweep();
  expect(files.map((file) => existsSync(file))).toEqual([false, false]);
  expect(await readJob(id)).toMatchObject({
    status: "completed",
    filesDeletedAt: expect.any(Date),
  });
});

it("a job whose runner vanished is released", async () => {
  const { id } = await acceptJob(await makeAccount());
  await claimJob(db(), { jobId: id, token: "vanished" }, 0, "run");
  await recoverLostJobs();
  expect(await readJob(id)).toMatchObject({ leaseToken: null, attempts: 0, runnerDeaths: 1 });
});
