import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { listJobs } from "#lib/db/queries/jobs/lists.ts";
import { deleteOldRecords } from "#lib/db/queries/jobs/retention.ts";
import { env } from "#lib/env.ts";
import { firstKeptDay } from "#lib/job-retention.ts";
import { deleteOldJobs } from "#lib/jobs/runner/retention.ts";
import { sweep } from "#lib/jobs/runner/sweep.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const settings = { ...env };
afterEach(async () => {
  Object.assign(env, settings);
  await db().execute(sql`delete from jobs`);
  await db().execute(sql`delete from webhook_deliveries`);
});

interface OldJob {
  readonly days: number;
  readonly status?: string;
  readonly hasFiles?: boolean;
}

/** Inserts `count` jobs, each with two deliveries and the request of an attempt, and their counts. */
async function insertJobs(account: Account, name: string, count: number, job: OldJob) {
  const { days, status = "completed", hasFiles = false } = job;
  await db().execute(sql`
    with inserted as (
      insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan,
        stage, period, created_at, completed_at, expires_at, files_deleted_at)
      select ${name} || i, ${account.id}, 'image/sharpen', '{}', ${status}, '{}', '{}', 'req', 'pro',
        'run', '2025-01', at, at, at, case when ${!hasFiles} then at end
      from generate_series(1, ${count}::int) as i, (select now() - make_interval(days => ${days}) as at)
      returning id, account_id, created_at
    ), sent as (
      insert into webhook_deliveries (id, account_id, job_id, url, event, status, created_at)
      select 'whd_' || id || n, account_id, id, 'http://host/', 'job.completed', 'delivered', created_at
      from inserted, generate_series(1, 2) as n returning id, created_at
    ), requested as (
      insert into webhook_requests (delivery_id, at, headers, body) select id, now(), '{}', '' from sent
    ), counted as (
      insert into usage_days (account_id, day, operation, jobs, completed)
      select account_id, (created_at at time zone 'UTC')::date, 'image/sharpen', count(*), count(*)
      from inserted group by 1, 2
      on conflict (account_id, day, operation) do update set jobs = usage_days.jobs + excluded.jobs
    )
    insert into usage (account_id, period, used_bytes, total_jobs) values (${account.id}, '2025-01', 5, ${count})
    on conflict (account_id, period) do update set total_jobs = usage.total_jobs + ${count}`);
}

async function insertTestDelivery(account: Account, name: string, days: number, status: string) {
  await db().execute(sql`
    insert into webhook_deliveries (id, account_id, url, event, status, created_at)
    values (${name}, ${account.id}, 'http://host/', 'test', ${status}, now() - make_interval(days => ${days}))`);
}

async function idsOf(table: "jobs" | "webhook_deliveries"): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(
    sql`select id from ${sql.identifier(table)} order by id collate "C"`,
  );
  return rows.map(({ id }) => id);
}

async function count(table: string): Promise<number> {
  const rows = await db().execute<{ n: number }>(
    sql`select count(*)::int as n from ${sql.identifier(table)}`,
  );
  return rows[0]?.n ?? 0;
}

async function usageOf(account: Account) {
  const [row] = await db().execute(sql`
    select (select sum(jobs)::int from usage_days where account_id = ${account.id}) as by_day, used_bytes::int, total_jobs
    from usage where account_id = ${account.id}`);
  return row;
}

it("the sweep deletes ended jobs of more than a year ago, their deliveries and attempts; totals stay", async () => {
  const account = await makeAccount();
  await insertJobs(account, "old", 3, { days: 367 });
  await insertJobs(account, "failed", 1, { days: 500, status: "failed" });
  await insertJobs(account, "new", 2, { days: 364 });
  const before = await usageOf(account);
  await sweep();
  expect(await idsOf("jobs")).toEqual(["new1", "new2"]);
  expect(await count("webhook_deliveries")).toBe(4);
  expect(await count("webhook_requests")).toBe(4);
  expect(await usageOf(account)).toEqual(before);
  expect(before).toEqual({ by_day: 6, used_bytes: 5, total_jobs: 6 });
  expect((await listJobs(db(), account.id, {}, { limit: 10 })).total).toBe(2);
});

it("a job that has not ended, or still has files, is kept", async () => {
  const account = await makeAccount();
  await insertJobs(account, "waiting", 1, { days: 400, status: "pending", hasFiles: true });
  await insertJobs(account, "running", 1, { days: 400, status: "processing" });
  await insertJobs(account, "stored", 1, { days: 400, hasFiles: true });
  await insertJobs(account, "old", 1, { days: 400 });
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual(["running1", "stored1", "waiting1"]);
});

it("a job is kept while one of its webhooks is still being sent", async () => {
  await insertJobs(await makeAccount(), "old", 2, { days: 400 });
  await db().execute(sql`update webhook_deliveries set status = 'pending' where id = 'whd_old21'`);
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual(["old2"]);
  expect(await idsOf("webhook_deliveries")).toEqual(["whd_old21", "whd_old22"]);
  await db().execute(sql`update webhook_deliveries set status = 'failed' where id = 'whd_old21'`);
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual([]);
});

it("the notification of a key is kept until the key has expired, so that it is sent once", async () => {
  const account = await makeAccount();
  await insertTestDelivery(account, "whd_reported", 7, "delivered");
  await insertTestDelivery(account, "whd_expired", 9, "delivered");
  await db().execute(sql`update webhook_deliveries set event = 'key.expiring'`);
  Object.assign(env, { JOB_RETENTION_DAYS: 1, RETENTION_HOURS: 1 });
  await deleteOldJobs();
  expect(await idsOf("webhook_deliveries")).toEqual(["whd_reported"]);
});

it("files that are past their own retention are deleted first, in the same sweep", async () => {
  await insertJobs(await makeAccount(), "stored", 1, { days: 400, hasFiles: true });
  await sweep();
  expect(await idsOf("jobs")).toEqual([]);
});

it("old deliveries without a job are deleted once they have ended", async () => {
  const account = await makeAccount();
  await insertTestDelivery(account, "whd_new", 1, "delivered");
  await insertTestDelivery(account, "whd_old", 400, "failed");
  await insertTestDelivery(account, "whd_pending", 400, "pending");
  await deleteOldJobs();
  expect(await idsOf("webhook_deliveries")).toEqual(["whd_new", "whd_pending"]);
});

it("more than one batch is deleted", async () => {
  await insertJobs(await makeAccount(), "old", 1100, { days: 400 });
  await deleteOldJobs();
  expect([await count("jobs"), await count("webhook_deliveries")]).toEqual([0, 0]);
});

it("one call deletes at most its limit, the oldest first", async () => {
  const account = await makeAccount();
  await insertJobs(account, "old", 2, { days: 400 });
  await insertJobs(account, "older", 2, { days: 500 });
  const day = firstKeptDay(new Date()) ?? "";
  expect(await transaction((tx) => deleteOldRecords(tx, day, 2))).toBe(2);
  expect(await idsOf("jobs")).toEqual(["old1", "old2"]);
});

it("one process deletes at a time; another one does nothing", async () => {
  await insertJobs(await makeAccount(), "old", 2, { days: 400 });
  const day = firstKeptDay(new Date()) ?? "";
  await transaction(async (tx) => {
    expect(await deleteOldRecords(tx, day, 1)).toBe(1);
    await deleteOldJobs();
    expect(await count("jobs")).toBe(2); // the transaction has not ended
  });
  expect(await count("jobs")).toBe(1);
  await Promise.all([deleteOldJobs(), deleteOldJobs(), deleteOldJobs()]);
  expect(await count("jobs")).toBe(0);
});

it("a job that another transaction holds is left to the next sweep and holds up no other", async () => {
  const account = await makeAccount();
  await insertJobs(account, "held", 1, { days: 500 });
  await insertJobs(account, "old", 3, { days: 400 });
  await transaction(async (tx) => {
    await tx.execute(sql`select id from jobs where id = 'held1' for update`);
    await deleteOldJobs();
    expect(await idsOf("jobs")).toEqual(["held1"]);
  });
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual([]);
});

it("`JOB_RETENTION_DAYS` sets the days, or keeps records forever", async () => {
  const account = await makeAccount();
  await insertJobs(account, "ancient", 1, { days: 4000 });
  await insertJobs(account, "old", 1, { days: 62 });
  await insertJobs(account, "new", 1, { days: 58 });
  Object.assign(env, { JOB_RETENTION_DAYS: "forever" });
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual(["ancient1", "new1", "old1"]);
  expect((await listJobs(db(), account.id, {}, { limit: 10 })).total).toBe(3);
  Object.assign(env, { JOB_RETENTION_DAYS: 60 });
  await deleteOldJobs();
  expect(await idsOf("jobs")).toEqual(["new1"]);
});

it("a record is kept longer than its files for any `JOB_RETENTION_DAYS`", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  Object.assign(env, { JOB_RETENTION_DAYS: 1, RETENTION_HOURS: 24 });
  expect(firstKeptDay(now)).toBe("2026-11-19");
  Object.assign(env, { JOB_RETENTION_DAYS: 365, RETENTION_HOURS: 87_600 });
  expect(firstKeptDay(now)).toBe("2016-11-22");
});

it("the sweep deletes old requests and makes days of the request log, or gives way while it is in use", async () => {
  const account = await makeAccount();
  const in3Days = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const name = `api_requests_${in3Days.replaceAll("-", "")}`;
  await db().execute(sql.raw(`drop table if exists ${name}`));
  const hasDay = async () => {
    const [row] = await db().execute(sql`select to_regclass(${name}) is not null as found`);
    return row?.found;
  };
  await db().execute(sql`
    insert into api_requests (id, account_id, api_key_id, method, path, status, duration_ms, params, created_at)
    select 'req_' || days, ${account.id}, 'key', 'GET', '/v1/jobs', 200, 1, '{}', now() - make_interval(days => days)
    from generate_series(0, 10, 10) as days`);
  await transaction(async (tx) => {
    await tx.execute(sql`select 1 from api_requests limit 1`);
    await sweep();
  });
  expect(await count("api_requests")).toBe(1);
  expect(await hasDay()).toBe(false);
  await sweep();
  expect(await hasDay()).toBe(true);
});
