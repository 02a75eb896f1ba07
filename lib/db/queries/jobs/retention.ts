import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { noticeDays } from "../webhooks/expiring-keys.ts";

/** One process deletes at a time; the others skip their turn. */
const retentionLock = 0x6d6d7274;

/** Whether this transaction is the one that deletes records until it ends. */
async function lockRetention(tx: Queryable): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${retentionLock}) as locked`,
  );
  return row?.locked === true;
}

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`;

/** Jobs whose webhooks have been delivered, or have failed for good. */
const oldJobs = (day: string) => sql`
  select id from jobs where files_deleted_at is not null and created_at < ${startOf(day)}
    and status in ('completed', 'failed', 'cancelled')
    and not exists (
      select from webhook_deliveries where job_id = jobs.id and webhook_deliveries.status = 'pending'
    )
  order by created_at`;

/**
 * Notifications without a job. That of a key is kept until the key has expired: it says that the key has been reported.
 */
const oldDeliveries = (day: string) => sql`
  select id from webhook_deliveries where job_id is null and created_at < ${startOf(day)}
    and status <> 'pending'
    and (event <> 'key.expiring' or created_at < now() - interval '${sql.raw(String(noticeDays + 1))} days')
  order by created_at`;

/** Whether there are records that `deleteOldRecords` deletes. */
export async function hasOldRecords(db: Queryable, day: string): Promise<boolean> {
  const [row] = await db.execute<{ found: boolean }>(sql`
    select exists(${oldJobs(day)}) or exists(${oldDeliveries(day)}) as found`);
  return row?.found === true;
}

/**
 * Deletes up to `limit` ended jobs that were created before the `day`, UTC, and whose files are deleted,
 * with their deliveries, and as many deliveries without a job. Rows that are locked are left to the next
 * call. Returns the number of deleted rows of these two kinds; undefined if another process deletes.
 */
export async function deleteOldRecords(
  tx: Queryable,
  day: string,
  limit: number,
): Promise<number | undefined> {
  if (!(await lockRetention(tx))) return undefined;
  const jobs = await tx.execute<{ id: string }>(sql`
    delete from jobs where id = any(array(${oldJobs(day)} limit ${limit} for update skip locked))
    returning id`);
  const deliveries = await tx.execute<{ id: string }>(sql`
    delete from webhook_deliveries
    where id = any(array(${oldDeliveries(day)} limit ${limit} for update skip locked))
    returning id`);
  return jobs.length + deliveries.length;
}
