import { sql } from "drizzle-orm";
import { index, json, pgTable, real, smallint, text } from "drizzle-orm/pg-core";
import type { JobErrorCode } from "#lib/errors.ts";
import { allPlanNames } from "#lib/plans.ts";
import type { JobTrace } from "#lib/tracing/trace-context.ts";
import { accounts } from "./accounts.ts";
import { byteCount, timestampMs } from "./columns.ts";
import { jobStages, jobStatuses, unfinishedStatuses } from "./job-states.ts";

export { type JobStatus, jobStatuses } from "./job-states.ts";

/** The unfinished statuses as SQL literals: with parameters, PostgreSQL may not use a partial index. */
export const unfinishedList = sql.raw(
  `(${unfinishedStatuses.map((name) => `'${name}'`).join(", ")})`,
);

/** A file of a job that is in storage. */
export interface StoredSource {
  readonly kind: "stored";
  readonly key: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The URL that it was fetched from, after redirects. */
  readonly url?: string;
  /** The file in a connection that it is a copy of: `conn_…:path`. */
  readonly reference?: string;
  /** The URL before redirects, if they led to another one. */
  readonly requestedUrl?: string;
  /** The charset that the server declared. */
  readonly charset?: string;
}

/** A file at a URL that the operation reads in part. All parts must be of the same version. */
export interface RemoteSource {
  readonly kind: "remote";
  /** The URL that was requested. */
  readonly url: string;
  /** The URL after redirects. */
  readonly finalUrl: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly filename: string;
  readonly contentType: string;
  /** The size of the whole file. */
  readonly bytes: number;
  /** The charset that the server declared. */
  readonly charset?: string;
}

/** A URL that is still to be fetched; `whole` if its file cannot be read in part. */
export interface UrlSource {
  readonly kind: "url";
  /** A URL, or a file in a connection: `conn_…:folder/file.mp4`. */
  readonly url: string;
  readonly whole?: true;
}

/** The main file of an operation that takes none. */
export interface NoSource {
  readonly kind: "none";
}

/** A file of a job. */
export type JobSource = StoredSource | RemoteSource | UrlSource;

/** The input as a client sees it. Fields are filled in as they become known. */
export interface JobInput {
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly url: string | null;
}

/** A stored output. Width and height in pixels, duration in seconds. */
export interface JobOutput {
  readonly key: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
  /** Where it was sent; absent if the request named no target. */
  readonly exported?: ExportedFile;
  /** Whether the file was removed here after it was exported. */
  readonly isRemoved?: true;
}

/** A file as its store has confirmed it. */
export interface ExportedFile {
  /** Without query values, which may be a signature. Absent for a connection. */
  readonly url?: string;
  /** The connection and the path below its prefix; absent for a URL. */
  readonly connection?: string;
  readonly path?: string;
  /** What the store calls this version of the file; null if it did not say. */
  readonly etag: string | null;
  readonly bytes: number;
}

/** A connection as a target. */
export interface ConnectionTarget {
  readonly id: string;
  /** The path below the connection's prefix, with placeholders. */
  readonly path: string;
  /** Whether files with this path are replaced. */
  readonly overwrite: boolean;
}

/** Where the outputs of a job are sent. The whole URLs and the headers are among the job's secrets. */
export interface JobTarget {
  /** One for each output, in order, without query values; none for a connection. */
  readonly urls: readonly string[];
  readonly connection?: ConnectionTarget;
  /** Whether the outputs stay here as well. */
  readonly keep: boolean;
}

/** What the operation of a job has made and is not exported yet. */
export interface UnexportedResult {
  readonly outputs: readonly JobOutput[];
  readonly result: Record<string, unknown> | null;
  readonly warnings: readonly string[];
  readonly steps: JobStepRun[] | null;
  /** What the job counts in its account's usage, in bytes. */
  readonly bytes: number;
  /** The part of it that the job's files loaded from the network. */
  readonly networkBytes: number;
}

/** An operation of a chain that has run. */
export interface JobStepRun {
  /** How long it took, in milliseconds; null if it was not measured, because a later one failed. */
  readonly ms: number | null;
  /** What it handed to the next operation, if the job keeps it. */
  readonly output?: JobOutput;
}

/** JSON columns are `json`, not `jsonb`, because `json` keeps the order of the fields for clients. */
export const jobs = pgTable(
  "jobs",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    operation: text().notNull(),
    /** The parameters, in which secret values are `***`. */
    params: json().$type<Record<string, unknown>>().notNull(),
    /** The secret parameters, and the target, encrypted. Null if there are none, and after the job's end. */
    secrets: text(),
    /** Where the outputs are sent; null if they stay here. */
    target: json().$type<JobTarget>(),
    /** What the operation has made, while it is exported; else null. */
    unexported: json().$type<UnexportedResult>(),
    status: text({ enum: jobStatuses }).notNull().default("pending"),
    /** The progress from 0 to 100, which never falls. */
    progress: real().notNull().default(0),
    source: json().$type<JobSource | NoSource>().notNull(),
    /** Files in addition to the main one, by part; further inputs as `file-2`, `file-3` and so on. */
    parts: json().$type<Record<string, JobSource>>().notNull().default({}),
    input: json().$type<JobInput>().notNull(),
    outputs: json().$type<JobOutput[]>().notNull().default([]),
    result: json().$type<Record<string, unknown>>(),
    /** What did not stop the job, one sentence each. */
    warnings: json().$type<readonly string[]>().notNull().default([]),
    /** The operations of a completed chain, in order; null for all other jobs. */
    steps: json().$type<JobStepRun[]>(),
    error: text(),
    errorCode: text().$type<JobErrorCode>(),
    /** What is to be done next; see `jobStages`. */
    stage: text({ enum: jobStages }).notNull(),
    metadata: json().$type<Record<string, string>>().notNull().default({}),
    webhookUrl: text(),
    /** Id of the request that created the job, for the logs. */
    requestId: text().notNull(),
    /** The trace of that request; null if it was not traced. */
    traceContext: json().$type<JobTrace>(),
    /**
     * The API key of that request; null for a job of the dashboard. No foreign key: keys are deleted
     * only together with their account and its jobs.
     */
    apiKeyId: text(),
    /** The browser token of that request; null if it had none. No foreign key: tokens are deleted soon. */
    tokenId: text(),
    /** The most bytes of a file that is given by URL, if the token allows fewer than the plan. */
    maxFileBytes: byteCount(),
    /** The account's plan when the job was accepted. It decides priority and file limits. */
    plan: text({ enum: allPlanNames }).notNull(),
    /** Attempts of the current stage, counted before the work starts. */
    attempts: smallint().notNull().default(0),
    /** Runners that vanished while they held the job. */
    runnerDeaths: smallint().notNull().default(0),
    /** Until this time a busy runner claims nothing new, so that it becomes idle for this job. */
    runnerDrainsUntil: timestampMs(),
    /** The job is not claimed before this time: the delay of a retry. */
    runAfter: timestampMs().notNull().defaultNow(),
    /** Fences the holder: a write with another token matches no row. Null: no runner holds the job. */
    leaseToken: text(),
    leaseExpiresAt: timestampMs(),
    /** When the job was last enqueued. Null if that failed: the sweep enqueues it again. */
    enqueuedAt: timestampMs().defaultNow(),
    /** The bytes that the files of a completed job loaded from the network. They count against the quota. */
    networkBytes: byteCount().notNull().default(0),
    /** Bytes reserved of the period's quota until the job ends. */
    reservedBytes: byteCount().notNull().default(0),
    /** The calendar month, UTC, `2026-11`, whose quota the job counts against. */
    period: text().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
    startedAt: timestampMs(),
    /** When all files that were given by URL had been fetched. */
    fetchedAt: timestampMs(),
    /** When the last attempt on an engine started. */
    engineStartedAt: timestampMs(),
    /** When the engine ended and storing the outputs started. */
    engineEndedAt: timestampMs(),
    completedAt: timestampMs(),
    /** When inputs and outputs are to be deleted. */
    expiresAt: timestampMs(),
    filesDeletedAt: timestampMs(),
  },
  (table) => [
    // Lists read these backwards. A descending index would sort nulls differently than
    // `order by … desc` and would not be used.
    index().on(table.accountId, table.createdAt, table.id),
    index().on(table.accountId, table.operation, table.createdAt, table.id),
    index().on(table.accountId, table.status, table.createdAt, table.id),
    index("jobs_by_error_code")
      .on(table.accountId, table.errorCode, table.createdAt, table.id)
      .where(sql`error_code is not null`),
    index("jobs_by_api_key")
      .on(table.apiKeyId, table.createdAt, table.id)
      .where(sql`api_key_id is not null`),
    index("jobs_by_token")
      .on(table.tokenId, table.createdAt, table.id)
      .where(sql`token_id is not null`),
    // One descent finds the oldest waiting job of an account and plan. With `run_after`, so that jobs
    // whose retry is delayed are skipped without reading their rows.
    index("jobs_claimable")
      .on(table.stage, table.accountId, table.plan, table.createdAt, table.id, table.runAfter)
      .where(sql`status in ${unfinishedList} and lease_token is null`),
    // Nearly always empty: each claim looks for jobs that must run exclusively.
    index("jobs_exclusive")
      .on(table.stage)
      .where(sql`status in ${unfinishedList} and lease_token is null and runner_deaths >= 2`),
    // A job that was never delayed has no entry.
    index("jobs_delayed")
      .on(table.stage, table.runAfter)
      .where(sql`status in ${unfinishedList} and lease_token is null and run_after > created_at`),
    // One entry per value. A job without metadata has none. Entries are inserted at once, because a search
    // would read all that wait.
    index("jobs_by_metadata")
      .using("gin", sql`(metadata::jsonb) jsonb_path_ops`)
      .with({ fastupdate: false })
      .where(sql`metadata::text <> '{}'`),
    // For the events of an account. A job gets its entry only when it ends.
    index("jobs_by_end")
      .on(table.accountId, table.completedAt)
      .where(sql`completed_at is not null`),
    index("jobs_running")
      .on(table.accountId, table.leaseExpiresAt)
      .where(sql`status = 'processing' and lease_token is not null`),
    index("jobs_expiring").on(table.expiresAt).where(sql`files_deleted_at is null`),
    // For the deletion of old records. A job gets its entry only when its files are deleted.
    index("jobs_without_files").on(table.createdAt).where(sql`files_deleted_at is not null`),
  ],
);

export type JobRow = typeof jobs.$inferSelect;
export type JobInsert = typeof jobs.$inferInsert;
