import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Password reset links. Each one works once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    /** SHA-256 of the link's token, hex. The token itself is only in the email. */
    hash: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    expiresAt: timestampMs().notNull(),
  },
  (table) => [index().on(table.accountId), index().on(table.expiresAt)],
);
