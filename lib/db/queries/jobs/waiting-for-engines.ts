import { sql } from "drizzle-orm";
import { notifyOfChange } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { rowReader } from "../../statement.ts";

/** Jobs that have all their files and that no runner holds, by their operations: one, or those of a chain in order. */

const waits = sql`status in ${unfinishedList} and lease_token is null and stage = 'run' and run_after <= now()`;

const operations = sql`case operation when 'chain' then (
    select string_agg(step->>'type', ' ') from json_array_elements(params->'operations') as step
  ) else operation end`;

const have = (ids: readonly string[]) => sql`${operations} = ${ids.join(" ")}`;

/** The different operations of jobs that wait for an engine. */
export async function listWaitingOperations(db: Queryable): Promise<string[][]> {
  const rows = await db.execute<{ operations: string }>(
    sql`select distinct ${operations} as operations from jobs where ${waits}`,
  );
  return rows.map((row) => row.operations.split(" "));
}

/** Writes a warning on the waiting jobs with these operations that have none, and notifies of it. Returns their number. */
export async function warnWaitingJobs(
  db: Queryable,
  ids: readonly string[],
  warning: string,
): Promise<number> {
  const rows = await db.execute(sql`
    with warned as (
      update jobs set warnings = ${JSON.stringify([warning])}::json
      where ${waits} and ${have(ids)} and warnings::text = '[]'
      returning *
    )
    select id, ${notifyOfChange(sql`warned`)} from warned`);
  return rows.length;
}

const readJob = rowReader(jobs);

/** Claims a job with these operations that was created longer ago than `ageSeconds`, to end it. */
export async function claimOverdueJob(
  db: Queryable,
  ids: readonly string[],
  { ageSeconds, token, leaseSeconds }: { ageSeconds: number; token: string; leaseSeconds: number },
): Promise<JobRow | undefined> {
  const [row] = await db.execute(sql`
    update jobs set status = 'processing', lease_token = ${token},
      lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from jobs where ${waits} and ${have(ids)}
        and created_at < now() - make_interval(secs => ${ageSeconds})
      limit 1 for update skip locked
    )
    returning *`);
  return row && readJob(row);
}
