import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { type JobFilter, listJobs, maxExactTotal } from "#lib/db/queries/jobs/lists.ts";
import { listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { listDeliveriesBefore } from "#lib/db/queries/webhooks/deliveries.ts";
import { readDailyUsage } from "#lib/quotas/daily-usage.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const many = 20_000;
const few = 20;
let large: Account;
let small: Account;

/** One in twenty jobs has failed, one in two hundred is the rare operation. Each has a delivery. */
async function fill(account: Account, count: number): Promise<void> {
  await db().execute(sql`
    with inserted as (
      insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan, stage, period, created_at)
      select 'job_' || gen_random_uuid(), ${account.id},
        case when i % 200 = 0 then 'audio/convert' else 'image/sharpen' end, '{}',
        case when i % 20 = 0 then 'failed' else 'completed' end,
        '{}', '{}', 'req', 'pro', 'run', '2026-11', now() - i * interval '30 seconds'
      from generate_series(1, ${count}) as i
      returning id, account_id, operation, status, created_at
    ), deliveries as (
      insert into webhook_deliveries (id, account_id, job_id, url, event, status, created_at)
      select 'whd_' || gen_random_uuid(), account_id, id, 'http://host/', 'job.completed',
        case when status = 'failed' then 'failed' else 'delivered' end, created_at from inserted
    )
    insert into usage_days (account_id, day, operation, jobs, completed, failed)
    select account_id, (created_at at time zone 'UTC')::date, operation, count(*),
      count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed')
    from inserted group by 1, 2, 3`);
}

beforeAll(async () => {
  large = await makeAccount();
  small = await makeAccount();
  await fill(large, many);
  await fill(small, few);
  await db().execute(sql`analyze jobs, webhook_deliveries, usage_days`);
});

/** The shortest of several runs, in milliseconds, to exclude other load on the machine. */
async function shortestTime(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 7; run++) {
    const startedAt = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

const page = { limit: 20, offset: 0 };
const listed = (filter: JobFilter) => (id: string) => listJobs(db(), id, filter, page);

it.each<[string, (accountId: string) => Promise<unknown>]>([
  ["the newest jobs", (id) => listNewestJobs(db(), id, 20)],
  ["a page of jobs", listed({})],
  ["the failed jobs", listed({ status: "failed" })],
  ["a status without jobs", listed({ status: "pending" })],
  ["the completed jobs", listed({ status: "completed" })],
  ["a rare operation", listed({ operation: "audio/convert" })],
  ["an error code without jobs", listed({ errorCode: "corrupt" })],
  ["a key without jobs", listed({ apiKeyId: "key_none" })],
  ["the last month by day", (id) => readDailyUsage(id, 30, new Date())],
  ["a page of deliveries", (id) => listDeliveriesBefore(db(), id, {}, 20)],
  ["the failed deliveries", (id) => listDeliveriesBefore(db(), id, { status: "failed" }, 20)],
  ["no pending delivery", (id) => listDeliveriesBefore(db(), id, { status: "pending" }, 20)],
])("%s: a thousand times as many jobs are read as fast", async (_what, read) => {
  const [ofFew, ofMany] = [
    await shortestTime(() => read(small.id)),
    await shortestTime(() => read(large.id)),
  ];
  expect(ofMany).toBeLessThan(ofFew * 4 + 4);
});

it.each<[string, JobFilter, number]>([
  ["all jobs: counted no further", {}, maxExactTotal + 1],
  ["the failed jobs", { status: "failed" }, many / 20],
  ["the jobs of one operation", { operation: "audio/convert" }, many / 200],
  ["an operation without jobs", { operation: "video/framerate" }, 0],
])("the total from the daily counts: %s", async (_what, filter, expected) => {
  expect((await listJobs(db(), large.id, filter, page)).total).toBe(expected);
});
