import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { defineStatement, rowReader } from "../../statement.ts";

const findOwn = defineStatement<"id" | "accountId">(
  (value) =>
    sql`select * from jobs where id = ${value("id")}::text and account_id = ${value("accountId")}::text`,
);
const find = defineStatement<"id">(
  (value) => sql`select * from jobs where id = ${value("id")}::text`,
);

const readJob = rowReader(jobs);

/** A job of the account. */
export async function findJob(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<JobRow | undefined> {
  const [row] = await db.execute(findOwn({ id, accountId }));
  return row && readJob(row);
}

/** The account's jobs among `ids`, newest first. */
export function findJobs(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<JobRow[]> {
  return db
    .select()
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), eq(jobs.accountId, accountId)))
    .orderBy(desc(jobs.id));
}

/** A job of any account: for runners, and for URLs whose signature is the permission. */
export async function findJobById(db: Queryable, id: string): Promise<JobRow | undefined> {
  const [row] = await db.execute(find({ id }));
  return row && readJob(row);
}
