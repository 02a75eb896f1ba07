import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import type { JobRow } from "../../schema/jobs.ts";

/** Older jobs are not counted, so that a page of a busy account stays fast. */
const maxCounted = 2000;

/** The jobs of an account that were there when one of its jobs was created. */
export interface JobsBefore {
  /** Those that ran at that time. */
  readonly running: number;
  /** Those that still waited at that time. */
  readonly waiting: number;
}

/** Counts the unfinished jobs of the same account at the time when `job` was created. */
export async function countJobsBefore(
  db: Queryable,
  { accountId, id, createdAt }: Pick<JobRow, "accountId" | "id" | "createdAt">,
): Promise<JobsBefore> {
  const at = sql`${createdAt.toISOString()}::timestamptz`;
  const [row] = await db.execute(sql`
    select count(*) filter (where started_at <= ${at}) as running,
      count(*) filter (where started_at is null or started_at > ${at}) as waiting
    from (
      select started_at, completed_at from jobs
      where account_id = ${accountId} and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${maxCounted}
    ) as earlier
    where completed_at is null or completed_at > ${at}`);
  return { running: Number(row?.running ?? 0), waiting: Number(row?.waiting ?? 0) };
}
