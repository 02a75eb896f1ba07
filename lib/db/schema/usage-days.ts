import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { byteCount } from "./columns.ts";

/**
 * An account's jobs by operation and by the day, UTC, on which they were accepted, counted as they
 * are accepted and as they end: a sum takes a few rows a day, however many jobs there were.
 */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** `2026-11-21`. */
    day: date({ mode: "string" }).notNull(),
    operation: text().notNull(),
    /** Accepted; those that have not ended are in none of the three that follow. */
    jobs: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    /** Bytes of input of the completed ones, as the plan counts them. */
    usedBytes: byteCount().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.operation] })],
);
