import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db, type Queryable } from "#lib/db/client.ts";
import { databaseUrl } from "#lib/db/connection.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { type JobFilter, listJobs, maxExactTotal } from "#lib/db/queries/jobs/lists.ts";
import { listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { listUsageDays } from "#lib/db/queries/usage/usage-days.ts";
import { listDeliveriesBefore } from "#lib/db/queries/webhooks/deliveries.ts";
import { type ExplainedDatabase, openExplained } from "#tests/service/database/explain.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const many = 20_000;
/**
 * The largest number of blocks for a page, with about five blocks a job, and its total. The table
 * of jobs alone has a thousand.
 */
const maxBlocks = 300;
let large: Account;
let explained: ExplainedDatabase;

/** One in twenty jobs has failed, one in two hundred is the rare operation. Each has a delivery. */
async function fill(account: Account): Promise<void> {
  await db().execute(sql`
    with inserted as (
      insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan, stage, period, created_at)
      select 'job_' || gen_random_uuid(), ${account.id},
        case when i % 200 = 0 then 'audio/convert' else 'image/sharpen' end, '{}',
        case when i % 20 = 0 then 'failed' else 'completed' end,
        '{}', '{}', 'req', 'pro', 'run', '2026-11', now() - i * interval '30 seconds'
      from generate_series(1, ${many}) as i
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
  await fill(large);
  await db().execute(sql`vacuum analyze jobs, webhook_deliveries, usage_days`);
  explained = openExplained(databaseUrl());
});
afterAll(() => explained?.close());

const page = { limit: 20, offset: 0 };
const listed = (filter: JobFilter) => (tx: Queryable, id: string) => listJobs(tx, id, filter, page);

it.each<[string, (tx: Queryable, accountId: string) => Promise<unknown>]>([
  ["the newest jobs", (tx, id) => listNewestJobs(tx, id, 20)],
  ["a page of jobs", listed({})],
  ["the failed jobs", listed({ status: "failed" })],
  ["a status without jobs", listed({ status: "pending" })],
  ["the completed jobs", listed({ status: "completed" })],
  ["a rare operation", listed({ operation: "audio/convert" })],
  ["an error code without jobs", listed({ errorCode: "corrupt" })],
  ["a key without jobs", listed({ apiKeyId: "key_none" })],
  ["the usage by day", (tx, id) => listUsageDays(tx, id, "2020-01-01")],
  ["a page of deliveries", (tx, id) => listDeliveriesBefore(tx, id, {}, 20)],
  ["the failed deliveries", (tx, id) => listDeliveriesBefore(tx, id, { status: "failed" }, 20)],
  ["no pending delivery", (tx, id) => listDeliveriesBefore(tx, id, { status: "pending" }, 20)],
])("%s: are read from few blocks", async (_what, read) => {
  const { blocks, plans } = await explained.explain((tx) => read(tx, large.id));
  expect(blocks, plans).toBeGreaterThan(0);
  expect(blocks, plans).toBeLessThan(maxBlocks);
});

it.each<[string, JobFilter, number]>([
  ["all jobs: counted no further", {}, maxExactTotal + 1],
  ["the failed jobs", { status: "failed" }, many / 20],
  ["the jobs of one operation", { operation: "audio/convert" }, many / 200],
  ["an operation without jobs", { operation: "video/framerate" }, 0],
])("the total from the daily counts: %s", async (_what, filter, expected) => {
  expect((await listJobs(db(), large.id, filter, page)).total).toBe(expected);
});
