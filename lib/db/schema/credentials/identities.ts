import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Users of sign-in providers that are linked to accounts. */
export const identities = pgTable(
  "identities",
  {
    provider: text({ enum: ["github", "google"] }).notNull(),
    /** The provider's user id, which stays the same if the user's email address changes. */
    subject: text().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index().on(table.accountId),
  ],
);
