import { and, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { finalStatuses } from "../../schema/job-states.ts";
import { jobs } from "../../schema/jobs.ts";

/** Ends the retention of an ended job's files now. False if it has not ended or there is no such job. */
export async function expireFilesIfEnded(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ expiresAt: sql`least(${jobs.expiresAt}, now())` })
    .where(
      and(eq(jobs.id, id), eq(jobs.accountId, accountId), inArray(jobs.status, [...finalStatuses])),
    )
    .returning({ id: jobs.id });
  return rows.length > 0;
}
