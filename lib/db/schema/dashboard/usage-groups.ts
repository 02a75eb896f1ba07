import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { byteCount } from "../columns.ts";

/**
 * An account's jobs by the day, UTC, on which they were accepted, and by outcome: once by operation, once by
 * API key. Finer than `usage_days`: a report reads some hundred rows for any number of jobs.
 */
export const usageGroups = pgTable(
  "usage_groups",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The day, such as `2026-11-21`. */
    day: date({ mode: "string" }).notNull(),
    dimension: text({ enum: ["key", "operation"] }).notNull(),
    /** The operation, or the id of the key; empty for a job that was created without one. */
    value: text().notNull(),
    /** `accepted` counts every job. Ended ones are also in `completed`, `cancelled` or their error code. */
    outcome: text().notNull(),
    jobs: integer().notNull().default(0),
    /** Bytes of input of the completed jobs, as counted against the plan. */
    usedBytes: byteCount().notNull().default(0),
    /**
     * Ended jobs by how long they took: the subscript is the bucket, see `duration-buckets.ts`. It has the
     * buckets from the shortest to the longest job, with nulls in between.
     */
    durations: integer().array().notNull().default([]),
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.dimension, table.day, table.value, table.outcome],
    }),
  ],
);
