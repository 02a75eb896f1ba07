import { sql } from "drizzle-orm";
import { index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { timestampMs } from "../columns.ts";
import { checkedEngines, checkResults } from "./checked-engines.ts";

/** The status checks: real jobs of the system's account, one per engine. */
export const statusChecks = pgTable(
  "status_checks",
  {
    /** The id of its job, which is deleted once the result is here. */
    id: text().primaryKey(),
    engine: text({ enum: checkedEngines }).notNull(),
    /** The result; null while the job has not ended. */
    result: text({ enum: checkResults }),
    /** How long the engine worked. Null if it did not finish. */
    durationMs: integer(),
    /** Why it failed: the code of the job's error. */
    errorCode: text(),
    /** When the check was started. */
    checkedAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [
    index().on(table.engine, table.checkedAt),
    // Nearly always empty: the sweep looks for checks that have not ended.
    index("status_checks_open").on(table.checkedAt).where(sql`result is null`),
  ],
);

export type StatusCheck = typeof statusChecks.$inferSelect;

/** The table whose one row says when the last run of checks started, over all machines. */
export const statusRuns = pgTable("status_runs", {
  id: smallint().primaryKey(),
  startedAt: timestampMs().notNull(),
});
