import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** An account's present minute of requests that create work. */
export const rateWindows = pgTable("rate_windows", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  startedAt: moment().notNull(),
  count: integer().notNull(),
});
