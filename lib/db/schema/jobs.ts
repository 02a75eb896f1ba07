import { sql } from "drizzle-orm";
import { boolean, index, json, pgTable, real, smallint, text } from "drizzle-orm/pg-core";
import type { JobErrorCode } from "#lib/errors.ts";
import { accounts } from "./accounts.ts";
import { byteCount, moment } from "./columns.ts";
import { jobStatuses } from "./job-statuses.ts";

export { type JobStatus, jobStatuses } from "./job-statuses.ts";

/** Where a file of a job comes from: bytes that are stored already, or an address still to be fetched. */
export type JobSource =
  | {
      readonly kind: "upload";
      readonly key: string;
      readonly filename: string;
      readonly contentType: string;
      readonly bytes: number;
      readonly sha256: string;
      /** Where it was fetched from, after redirects, and the charset that the server declared. */
      readonly url?: string;
      readonly charset?: string;
    }
  | { readonly kind: "url"; readonly url: string };

/** The input as a client sees it; filled in as it becomes known. */
export interface JobInput {
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly url: string | null;
}

/** A stored output. Pixels; seconds. */
export interface JobOutput {
  readonly key: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
}

/** JSON columns are `json`, not `jsonb`: clients get their fields back in the order that has meaning. */
export const jobs = pgTable(
  "jobs",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    operation: text().notNull(),
    params: json().$type<Record<string, unknown>>().notNull(),
    status: text({ enum: jobStatuses }).notNull().default("pending"),
    /** 0 to 100; never falls. */
    progress: real().notNull().default(0),
    source: json().$type<JobSource>().notNull(),
    /** Files beside the main one, by part. */
    parts: json().$type<Record<string, JobSource>>().notNull().default({}),
    input: json().$type<JobInput>().notNull(),
    outputs: json().$type<JobOutput[]>().notNull().default([]),
    result: json().$type<Record<string, unknown>>(),
    error: text(),
    errorCode: text().$type<JobErrorCode>(),
    /** Some file is still to be fetched: that takes no engine's place. */
    needsFetch: boolean().notNull().default(false),
    metadata: json().$type<Record<string, string>>().notNull().default({}),
    webhookUrl: text(),
    /** Of the request that made it, so that the logs of one job can be followed. */
    requestId: text().notNull(),
    priority: smallint().notNull(),
    /** Tries, counted before the work starts. */
    attempts: smallint().notNull().default(0),
    /** Runners that vanished while they had it. */
    runnerDeaths: smallint().notNull().default(0),
    /** Until then a busy runner takes nothing new, to become idle and run this job alone. */
    idleAwaitedUntil: moment(),
    /** Not before this moment: the delay of a further try. */
    runAfter: moment().notNull().defaultNow(),
    /** Fences the holder: a write with another token matches no row. Null: nobody has it. */
    leaseToken: text(),
    leaseExpiresAt: moment(),
    /** When the queue was last told of it; null where it could not be, and the sweep tells it. */
    handedOverAt: moment().defaultNow(),
    /** Bytes held against the period's quota until the job ends. */
    reservedBytes: byteCount().notNull().default(0),
    /** The calendar month, UTC, `2026-11`, whose quota it counts against. */
    period: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    startedAt: moment(),
    /** When the files that it names by address had all arrived. */
    fetchedAt: moment(),
    /** When the last try on an engine began. */
    engineAt: moment(),
    /** When the engine was done and its outputs went to storage. */
    storingAt: moment(),
    completedAt: moment(),
    /** When inputs and outputs are deleted. */
    expiresAt: moment(),
    /** When they were. */
    filesDeletedAt: moment(),
  },
  (table) => [
    // Lists go backwards through these. An index that is itself descending would have its nulls at
    // the other end than `order by … desc` wants them, and would not be used.
    index().on(table.accountId, table.createdAt, table.id),
    index().on(table.accountId, table.operation, table.createdAt, table.id),
    index("jobs_by_status")
      .on(table.accountId, table.status, table.createdAt, table.id)
      .where(sql`status <> 'completed'`),
    index("jobs_claimable")
      .on(table.needsFetch, table.priority, table.createdAt)
      .where(sql`status in ('pending', 'processing') and lease_token is null`),
    index("jobs_running")
      .on(table.accountId, table.leaseExpiresAt)
      .where(sql`status = 'processing' and lease_token is not null`),
    index("jobs_expiring").on(table.expiresAt).where(sql`files_deleted_at is null`),
  ],
);

export type JobRow = typeof jobs.$inferSelect;
export type JobInsert = typeof jobs.$inferInsert;
