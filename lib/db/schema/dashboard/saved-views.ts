import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Filters of the job list that an account has saved under a name. */
export const savedViews = pgTable(
  "saved_views",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** The filters as a query: `status=failed&operation=image%2Fresize`. */
    query: text().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
);
