import { index, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";

/** Limits on sign-in and similar attempts: one row per account, address or browser that made one recently. */
export const attemptLimits = pgTable(
  "attempt_limits",
  {
    /** What is counted, such as `password:<hash>`. Never an email address in clear text. */
    subject: text().primaryKey(),
    /** When all attempts are available again. Each attempt moves it later. */
    resetsAt: timestampMs().notNull(),
  },
  (table) => [index().on(table.resetsAt)],
);
