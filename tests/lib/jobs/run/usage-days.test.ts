import { expect, it } from "vitest";
import { cancelJob } from "#lib/jobs/actions/actions.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { readDailyUsage, successRate } from "#lib/quotas/daily-usage.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";

it("counts each job of an account once when it is accepted and once when it ends", async () => {
  const account = await makeAccount();
  await acceptJob(await makeAccount());
  const cancelled = await acceptJob(account);
  await cancelJob(account.id, cancelled.id);
  await cancelJob(account.id, cancelled.id);
  const completed = await acceptJob(account);
  const failed = await acceptJob(account, "http://10.0.0.1/");
  const runner = await startMediaRunner(shortTimes);
  await Promise.all([waitForJobState(completed.id), waitForJobState(failed.id)]);
  await runner.stop();
  const waiting = await acceptJob(account);
  const days = await readDailyUsage(account.id, 30, waiting.createdAt);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({
    day: waiting.createdAt.toISOString().slice(0, 10),
    jobs: 4,
    completed: 1,
    failed: 1,
    cancelled: 1,
    usedBytes: "some text".length,
  });
  expect(days[0]).toMatchObject({ jobs: 0, usedBytes: 0 });
  expect(successRate(days)).toBe(0.5);
});

it("an account without jobs has 30 empty days and no success rate", async () => {
  const days = await readDailyUsage((await makeAccount()).id, 30, new Date());
  expect(days.every(({ jobs }) => jobs === 0)).toBe(true);
  expect(successRate(days)).toBeUndefined();
});
