import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { byteCount } from "./columns.ts";

/** What an account has used in a calendar month, and what its unfinished jobs have reserved. */
export const usage = pgTable(
  "usage",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The calendar month in UTC, such as `2026-11`. */
    period: text().notNull(),
    usedBytes: byteCount().notNull().default(0),
    reservedBytes: byteCount().notNull().default(0),
    totalJobs: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.period] }),
    // For the alerts, which look at all accounts of a month.
    index().on(table.period),
  ],
);
