import { sql } from "drizzle-orm";
import { db } from "#lib/db/client.ts";
import type { JobPosition } from "#lib/db/queries/jobs/lists.ts";

/**
 * Inserts `count` ended jobs of an account, 30 seconds apart or all at the same time, and their daily
 * counts. One in twenty has failed, one in thirty is cancelled, one in two hundred is of
 * `audio/convert`. All were created by the same key, by default `key_many`.
 */
export async function insertManyJobs(
  accountId: string,
  count: number,
  { sameTime = false, apiKeyId = "key_many" } = {},
): Promise<void> {
  const step = sameTime ? 0 : 30;
  await db().execute(sql`
    with inserted as (
      insert into jobs (id, account_id, operation, params, status, error_code, source, input,
        metadata, request_id, api_key_id, plan, stage, period, created_at)
      select 'job_' || substr(md5(i || ${accountId}), 1, 24), ${accountId},
        case when i % 200 = 0 then 'audio/convert' else 'image/sharpen' end, '{}',
        case when i % 20 = 0 then 'failed' when i % 30 = 1 then 'cancelled' else 'completed' end,
        case when i % 20 = 0 then 'corrupt' end,
        '{}', json_build_object('filename', 'photo-' || i || '.jpg'),
        json_build_object('number', i::text, 'parity', case when i % 2 = 0 then 'even' else 'odd' end),
        'req', ${apiKeyId}, 'pro', 'run', '2026-11', now() - i * ${step} * interval '1 second'
      from generate_series(1, ${count}::int) as i
      returning account_id, operation, status, created_at
    )
    insert into usage_days (account_id, day, operation, jobs, completed, failed, cancelled)
    select account_id, (created_at at time zone 'UTC')::date, operation, count(*),
      count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
      count(*) filter (where status = 'cancelled')
    from inserted group by 1, 2, 3
    on conflict (account_id, day, operation) do update set jobs = usage_days.jobs + excluded.jobs,
      completed = usage_days.completed + excluded.completed,
      failed = usage_days.failed + excluded.failed,
      cancelled = usage_days.cancelled + excluded.cancelled`);
  // Each group has durations in a hundred buckets. Groups of jobs that the account had before stay as they are.
  await db().execute(sql`
    insert into usage_groups (account_id, dimension, day, value, outcome, jobs, durations)
    select account_id, dimension, (created_at at time zone 'UTC')::date, value, outcome, count(*),
      case when outcome = 'accepted' then '{}' else array_fill(greatest(1, count(*)::int / 100), array[100], array[100]) end
    from jobs, lateral (values ('key', coalesce(jobs.api_key_id, '')), ('operation', jobs.operation)) as groups (dimension, value), unnest(array['accepted', coalesce(error_code, status)]) as outcome
    where account_id = ${accountId} group by 1, 2, 3, 4, 5
    on conflict do nothing`);
  await db().execute(sql`analyze jobs, usage_days, usage_groups`);
}

/** The account's job after `offset` newer ones. */
export async function jobAt(accountId: string, offset: number): Promise<JobPosition> {
  const [row] = await db().execute<{ id: string; createdAt: string }>(sql`
    select id, created_at as "createdAt" from jobs where account_id = ${accountId}
    order by created_at desc, id desc limit 1 offset ${offset}`);
  if (!row) throw new Error("the account has fewer jobs");
  return { id: row.id, createdAt: new Date(row.createdAt) };
}
