import { and, asc, count, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { JobErrorCode } from "#lib/errors.ts";
import { type Queryable, transaction } from "../../client.ts";
import { isFinalStatus } from "../../schema/job-states.ts";
import { type JobRow, type JobStatus, jobs } from "../../schema/jobs.ts";
import { sumJobs } from "../usage/usage-days.ts";

/** Totals are exact up to this number; a larger one is reported as this number and one more. */
export const maxExactTotal = 10_000;

/** The most bytes of the columns that may be large, on one page. A page of jobs without long texts has far less. */
export const maxPageBytes = 8_000_000;

/** The columns that callers and operations can make large. */
const largeColumns = {
  params: jobs.params,
  result: jobs.result,
  outputs: jobs.outputs,
  parts: jobs.parts,
  steps: jobs.steps,
  secrets: jobs.secrets,
  target: jobs.target,
  unexported: jobs.unexported,
  warnings: jobs.warnings,
};

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly operation?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  /** The id or the start of it, or a part of the file name, the metadata or the error in any case. */
  readonly text?: string | undefined;
  /** Part of the input's file name, in any case. */
  readonly filename?: string | undefined;
  readonly errorCode?: JobErrorCode | undefined;
  /** Values that the job's metadata has. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The API key that created the job. */
  readonly apiKeyId?: string | undefined;
  /** The browser token that created the job. */
  readonly tokenId?: string | undefined;
}

/** Where a job is in the list. */
export type JobPosition = Pick<JobRow, "id" | "createdAt">;

/** A page of a list, newest first: at an offset, or directly after or before a job. */
export interface JobPage {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: JobPosition | undefined;
  readonly before?: JobPosition | undefined;
}

export interface ListedJobs<Row> {
  readonly rows: Row[];
  /** The number of matching jobs on all pages, at most `maxExactTotal` + 1. */
  readonly total: number;
  /** Whether there are more jobs in the direction of the page: newer ones with `before`, else older. */
  readonly hasMore: boolean;
}

/** The position of a job of the account, or only of a browser token. */
export async function findJobPosition(
  db: Queryable,
  accountId: string,
  id: string,
  tokenId?: string,
): Promise<JobPosition | undefined> {
  const rows = await db
    .select({ id: jobs.id, createdAt: jobs.createdAt })
    .from(jobs)
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.accountId, accountId),
        tokenId ? eq(jobs.tokenId, tokenId) : undefined,
      ),
    );
  return rows[0];
}

/** A page of an account's jobs that match `filter`, newest first. */
export async function listJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  page: JobPage,
): Promise<ListedJobs<JobRow>> {
  return planForFilter(db, filter, async (planned) => {
    const [rows, total] = await Promise.all([
      readPage(planned, accountId, filter, page),
      countJobs(planned, accountId, filter),
    ]);
    return { ...rows, total };
  });
}

/**
 * Reads a list with `read`. With values of metadata it is in a transaction whose statements are planned for these
 * values: PostgreSQL would else keep one plan for all values, which reads every job of the account
 * for a rare one.
 */
export function planForFilter<Result>(
  db: Queryable,
  { metadata = {} }: JobFilter,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  if (Object.keys(metadata).length === 0) return read(db);
  return transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
    return read(tx);
  });
}

/** Every job of an account that matches `filter`, newest first, a page at a time. */
export async function* readAllJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  limit: number,
): AsyncGenerator<JobRow[]> {
  let after: JobPosition | undefined;
  while (true) {
    const page = { limit, after };
    const { rows, hasMore } = await planForFilter(db, filter, (planned) =>
      readPage(planned, accountId, filter, page),
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (!hasMore) return;
  }
}

async function readPage(db: Queryable, accountId: string, filter: JobFilter, page: JobPage) {
  const selected = await selectPage(db, accountId, filter, page);
  const rows = selected.map(({ job }) => job);
  const found = selected[0]?.found ?? 0;
  return { ...trimPage(rows, page), hasMore: found > Math.min(rows.length, page.limit) };
}

/**
 * The query for a page that ends before its rows have more than `maxPageBytes`, but not before its first row.
 * PostgreSQL measures the rows and sends only those of the page. `found` is what `pageClauses` selects.
 */
export function selectPage(db: Queryable, accountId: string, filter: JobFilter, page: JobPage) {
  const { where, orderBy, limit, offset } = pageClauses(accountId, filter, page);
  const { id, createdAt } = jobs;
  const found = db.$with("found").as(
    db
      .select({ id, createdAt, ...largeColumns })
      .from(jobs)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .offset(offset),
  );
  const order = page.before ? asc : desc;
  const names = Object.keys(largeColumns) as (keyof typeof largeColumns)[];
  const sizes = names.map((name) => sql`coalesce(octet_length(${found[name]}::text), 0)`);
  const preceding = sql`over (order by ${order(found.createdAt)}, ${order(found.id)} rows unbounded preceding)`;
  const measured = db.$with("measured").as(
    db
      .select({
        id: sql<string>`${found.id}`.as("measured_id"),
        position: sql<number>`row_number() ${preceding}`.as("position"),
        bytes: sql<number>`sum(${sql.join(sizes, sql` + `)}) ${preceding}`.as("bytes"),
      })
      .from(found),
  );
  const isOnPage = sql`${measured.position} = 1 or ${measured.bytes} <= ${maxPageBytes}`;
  return db
    .with(found, measured)
    .select({ job: jobs, found: sql<number>`(select count(*)::int from ${found})` })
    .from(measured)
    .innerJoin(jobs, eq(jobs.id, measured.id))
    .where(isOnPage)
    .orderBy(...orderBy);
}

/** The clauses of the query for a page and one more row, which shows whether more rows follow. */
export function pageClauses(accountId: string, filter: JobFilter, page: JobPage) {
  const { after, before, limit, offset = 0 } = page;
  const order = before ? asc : desc;
  return {
    where: and(
      matchesFilter(accountId, filter),
      after && sql`(${jobs.createdAt}, ${jobs.id}) < ${toRow(after)}`,
      before && sql`(${jobs.createdAt}, ${jobs.id}) > ${toRow(before)}`,
    ),
    orderBy: [order(jobs.createdAt), order(jobs.id)],
    limit: limit + 1,
    offset,
  };
}

/** The rows of a page, newest first, from those that `pageClauses` selects. */
export function trimPage<Row>(
  selected: readonly Row[],
  { limit, before }: JobPage,
): Omit<ListedJobs<Row>, "total"> {
  const rows = selected.slice(0, limit);
  return { rows: before ? rows.reverse() : rows, hasMore: selected.length > limit };
}

/**
 * The number of matching jobs, at most `maxExactTotal` + 1. Sums the daily counts if they suffice for
 * the filter. Otherwise counts rows.
 */
export async function countJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
): Promise<number> {
  const { status, operation, ...others } = filter;
  const hasDailyCount = status === undefined || isFinalStatus(status);
  if (hasDailyCount && Object.values(others).every((value) => value === undefined)) {
    return Math.min(await sumJobs(db, accountId, { status, operation }), maxExactTotal + 1);
  }
  return (await countQuery(db, accountId, filter))[0]?.total ?? 0;
}

/** Counts matching rows, and stops after `maxExactTotal` + 1. */
export function countQuery(db: Queryable, accountId: string, filter: JobFilter) {
  const matching = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(matchesFilter(accountId, filter))
    // The order makes PostgreSQL read an index, which has only the account's jobs.
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(maxExactTotal + 1)
    .as("matching");
  return db.select({ total: count() }).from(matching);
}

/** The condition for an account's jobs that match `filter`. */
function matchesFilter(accountId: string, filter: JobFilter): SQL | undefined {
  const { status, operation, createdAfter, createdBefore, errorCode, apiKeyId } = filter;
  const { tokenId, text, filename, metadata = {} } = filter;
  return and(
    eq(jobs.accountId, accountId),
    status && eq(jobs.status, status),
    operation ? eq(jobs.operation, operation) : undefined,
    createdAfter && gte(jobs.createdAt, createdAfter),
    createdBefore && lt(jobs.createdAt, createdBefore),
    errorCode && eq(jobs.errorCode, errorCode),
    apiKeyId ? eq(jobs.apiKeyId, apiKeyId) : undefined,
    tokenId ? eq(jobs.tokenId, tokenId) : undefined,
    text ? matchesText(text) : undefined,
    filename
      ? sql`strpos(lower(${jobs.input} ->> 'filename'), lower(${filename}::text)) > 0`
      : undefined,
    Object.keys(metadata).length > 0 ? hasMetadata(metadata) : undefined,
  );
}

/** The condition as the index on the metadata has it. Whether it is used depends on how rare the values are. */
function hasMetadata(metadata: Readonly<Record<string, string>>): SQL {
  const { metadata: column } = jobs;
  return sql`${column}::text <> '{}' and ${column}::jsonb @> ${JSON.stringify(metadata)}::jsonb`;
}

/** A complete id uses the primary key. Any other text is searched in the account's jobs. */
function matchesText(text: string): SQL | undefined {
  if (/^job_[0-9A-Za-z]{24}$/.test(text)) return eq(jobs.id, text);
  const contains = (column: SQL) => sql`strpos(lower(${column}), lower(${text}::text)) > 0`;
  return or(
    sql`starts_with(${jobs.id}, ${text}::text)`,
    contains(sql`${jobs.input} ->> 'filename'`),
    contains(sql`${jobs.error}`),
    contains(sql`${jobs.metadata}::text`),
  );
}

/** A position as a row value, which one index condition compares as a whole. */
function toRow({ createdAt, id }: JobPosition): SQL {
  return sql`(${sql.param(createdAt, jobs.createdAt)}::timestamptz, ${id}::text)`;
}
