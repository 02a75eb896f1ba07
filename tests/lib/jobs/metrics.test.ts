import { sql } from "drizzle-orm";
import { afterAll, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { countWaitingJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { addToTotals, listTotals } from "#lib/db/queries/usage/metric-totals.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { reportMetrics } from "#lib/jobs/metrics-report.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";

const host = `http://127.0.0.1:${inject("hostPort")}`;
const inspect = '"operation":"pipeline/file-inspect"';

afterAll(() => db().execute(sql`delete from jobs`));

async function total(name: string, labels: string): Promise<number | undefined> {
  return (await listTotals(db())).find((one) => one.name === name && one.labels === labels)?.value;
}

it("every end of a job is counted once: completed, failed or cancelled", async () => {
  const runner = await startMediaRunner(shortTimes);
  const account = await makeAccount("business");
  for (let count = 0; count < 3; count++) await waitForJobState((await acceptJob(account)).id);
  await waitForJobState((await acceptJob(account, `${host}/nothing`)).id);
  const { id } = await acceptJob(account, `${host}/drip`);
  await waitForJobState(id, (job) => job.leaseToken !== null);
  await cancelJob(account.id, id);
  await runner.stop();
  await Promise.all([reportMetrics(), reportMetrics()]);
  const outcomes = ["completed", "failed", "cancelled"].map((outcome) =>
    total("mediamill_jobs_total", `{${inspect},"outcome":"${outcome}"}`),
  );
  expect(await Promise.all(outcomes)).toEqual([3, 1, 1]);
  expect(await total("mediamill_job_failures_total", '{"code":"fetch_failed"}')).toBe(1);
  expect(await total("mediamill_job_bytes_total", `{"direction":"in",${inspect}}`)).toBe(27);
  expect(await total("mediamill_job_wait_seconds_count", '{"plan":"business"}')).toBe(5);
  expect(await total("mediamill_job_phase_seconds_count", '{"phase":"engine"}')).toBe(3);
});

it("totals are the sum of the counts of all processes, also of concurrent ones", async () => {
  const add = (value: number) =>
    addToTotals(db(), [
      { name: "b", labels: "{}", value },
      { name: "a", labels: "{}", value: 1 },
    ]);
  await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
  expect([await total("a", "{}"), await total("b", "{}")]).toEqual([20, 190]);
});

it("waiting jobs are counted by plan and stage", async () => {
  const account = await makeAccount("pro");
  const { id } = await acceptJob(account);
  await acceptJob(account, `${host}/drip`);
  const since = sql`now() - interval '90 seconds'`;
  await db().execute(
    sql`update jobs set created_at = ${since}, run_after = ${since} where id = ${id}`,
  );
  const waiting = await countWaitingJobs(db());
  const [fetch, run] = ["fetch", "run"].map((stage) => waiting.find((one) => one.stage === stage));
  expect(fetch).toMatchObject({ plan: "pro", jobs: 1 });
  expect(run).toMatchObject({ plan: "pro", jobs: 1 });
  expect(run?.oldestSeconds).toBeGreaterThan(89);
});
