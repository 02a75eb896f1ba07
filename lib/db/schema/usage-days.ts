import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { byteCount } from "./columns.ts";

/**
 * An account's jobs by operation and by the day, UTC, on which they were accepted. Counted when a job
 * is accepted and when it ends, so that totals need a few rows per day for any number of jobs.
 */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The day, such as `2026-11-21`. */
    day: date({ mode: "string" }).notNull(),
    operation: text().notNull(),
    /** Accepted jobs. Jobs that have not ended are in none of the next three columns. */
    jobs: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    /** Bytes of input of the completed jobs, as counted against the plan. */
    usedBytes: byteCount().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.operation] })],
);
