import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** A link sent to somebody who forgot their password; it works once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    /** SHA-256 of the link's token, hex. The token itself is in the e-mail alone. */
    hash: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    expiresAt: moment().notNull(),
  },
  (table) => [index().on(table.accountId), index().on(table.expiresAt)],
);
