import { date, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { byteCount } from "../columns.ts";

/**
 * Jobs that `usage_groups` does not count yet. A job only adds rows here: an update of its groups would wait for
 * the other jobs of its account. The sweep and each report move them to their groups.
 */
export const usageEvents = pgTable("usage_events", {
  accountId: text()
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** The day, UTC, on which the job was accepted: `2026-11-21`. */
  day: date({ mode: "string" }).notNull(),
  operation: text().notNull(),
  /** The id of the key; empty for a job that was created without one. */
  key: text().notNull(),
  /** The outcome, as in `usage_groups`. */
  outcome: text().notNull(),
  /** The number of jobs: 1, or −1 for a job whose acceptance is rolled back. */
  jobs: integer().notNull(),
  usedBytes: byteCount().notNull().default(0),
  /** How long an ended job took, see `duration-buckets.ts`. */
  bucket: integer(),
});
