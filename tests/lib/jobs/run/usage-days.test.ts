import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { jobs } from "#lib/db/schema/jobs.ts";
import { rollBackAcceptance } from "#lib/jobs/accept/roll-back-acceptance.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { readDailyUsage, successRate } from "#lib/quotas/daily-usage.ts";
import { addDays, readUsageReport } from "#lib/quotas/usage-report.ts";
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

  const range = { first: addDays(days[29]?.day ?? "", -1), end: addDays(days[29]?.day ?? "", 1) };
  const byDay = await readUsageReport(account.id, "day", range);
  const counts = { jobs: 4, completed: 1, failed: 1, cancelled: 1, usedBytes: "some text".length };
  const errors = [{ code: "address_refused", jobs: 1 }];
  expect(byDay.total).toMatchObject({ ...counts, errors });
  expect(byDay.groups).toMatchObject([
    { group: range.first, jobs: 0 },
    { ...counts, errors },
  ]);
  const { groups: byKey } = await readUsageReport(account.id, "key", range);
  expect(byKey).toMatchObject([{ group: "dashboard", name: undefined, ...counts }]);
  const { groups: byOperation } = await readUsageReport(account.id, "operation", range);
  expect(byOperation).toMatchObject([{ group: waiting.operation, ...counts }]);
  const { groups: byError } = await readUsageReport(account.id, "error_code", range);
  expect(byError).toMatchObject([{ group: "address_refused", jobs: 1, failed: 1, completed: 0 }]);

  // A rolled back acceptance leaves no count.
  expect(await rollBackAcceptance(waiting.id, undefined)).toBe(true);
  expect((await readUsageReport(account.id, "day", range)).total.jobs).toBe(3);

  const [job] = await db().select().from(jobs).where(eq(jobs.id, completed.id));
  const took = (job?.completedAt?.getTime() ?? 0) - completed.createdAt.getTime();
  for (const percentile of [byDay.total.p50Ms, byKey[0]?.p95Ms]) {
    expect(percentile).toBeGreaterThan(took * 0.97 - 1);
    expect(percentile).toBeLessThan(took * 1.03 + 1);
  }
});

it("an account without jobs has 30 empty days and no success rate", async () => {
  const days = await readDailyUsage((await makeAccount()).id, 30, new Date());
  expect(days.every(({ jobs }) => jobs === 0)).toBe(true);
  expect(successRate(days)).toBeUndefined();
});
