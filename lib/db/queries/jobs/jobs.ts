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
// The last of two columns with one name counts: the files of a closed account count as deleted.
const findOfActiveAccount = defineStatement<"id">(
  (value) => sql`
    select jobs.*, coalesce(jobs.files_deleted_at, accounts.deleted_at) as files_deleted_at
    from jobs join accounts on accounts.id = jobs.account_id
    where jobs.id = ${value("id")}::text and accounts.suspended_at is null`,
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

/** A job of any account: for runners. */
export async function findJobById(db: Queryable, id: string): Promise<JobRow | undefined> {
  const [row] = await db.execute(find({ id }));
  return row && readJob(row);
}

/**
 * A job of any account that is not suspended: for URLs whose signature is the permission. The files of a
 * closed account count as deleted.
 */
export async function findLinkedJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const [row] = await db.execute(findOfActiveAccount({ id }));
  return row && readJob(row);
}

/** Writes where the inputs of a job are from now on. */
export async function replaceSources(
  db: Queryable,
  id: string,
  sources: Pick<JobRow, "source" | "parts">,
): Promise<void> {
  await db.update(jobs).set(sources).where(eq(jobs.id, id));
}
