import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** Who an account is at a sign-in provider. */
export const identities = pgTable(
  "identities",
  {
    provider: text({ enum: ["github", "google"] }).notNull(),
    /** The provider's own id, which outlives a change of e-mail address there. */
    subject: text().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index().on(table.accountId),
  ],
);
