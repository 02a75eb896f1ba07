import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Pairs of key and salt that sign the URLs of pictures. */
export const imageKeys = pgTable(
  "image_keys",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The key and the salt in hex, encrypted with a key derived from `SECRET`; see `lib/service-secret.ts`. */
    secrets: text().notNull(),
    /** Whether URLs without a signature are answered, too. */
    unsigned: boolean().notNull().default(false),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [index().on(table.accountId, table.createdAt)],
);
