import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { timestampMs } from "./columns.ts";

/** An account's job-creating requests in its current minute. */
export const rateWindows = pgTable("rate_windows", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  startedAt: timestampMs().notNull(),
  count: integer().notNull(),
});
