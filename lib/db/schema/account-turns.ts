import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** When an account last had its turn: the one that has waited longest for its next is before others. */
export const accountTurns = pgTable(
  "account_turns",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** `fetch` or `run`: fetchers and engines each go round the accounts by themselves. */
    stage: text().notNull(),
    lastAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.stage] })],
);
