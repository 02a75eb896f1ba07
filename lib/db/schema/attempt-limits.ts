import { index, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** How much somebody may still try: one row for each account, address or browser that tried of late. */
export const attemptLimits = pgTable(
  "attempt_limits",
  {
    /** What is counted, as `password:<hash>`; never an e-mail address in clear. */
    subject: text().primaryKey(),
    /** When all attempts are free again; each one moves it on. */
    clearAt: moment().notNull(),
  },
  (table) => [index().on(table.clearAt)],
);
