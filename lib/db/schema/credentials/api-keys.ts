import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** What a key is used for. It has the same access in both. */
export const keyEnvironments = ["development", "production"] as const;
export type KeyEnvironment = (typeof keyEnvironments)[number];

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** SHA-256 of the key, hex. The key itself is shown once and never stored. */
    hash: text().notNull().unique(),
    /** The first 12 characters, so that users recognize the key. */
    prefix: text().notNull(),
    /** The last 4 characters. */
    lastFour: text().notNull(),
    environment: text({ enum: keyEnvironments }).notNull().default("production"),
    createdAt: timestampMs().notNull().defaultNow(),
    expiresAt: timestampMs(),
    revokedAt: timestampMs(),
    /** When the key was last used; written at most once per minute. */
    lastUsedAt: timestampMs(),
  },
  (table) => [index().on(table.accountId, table.createdAt)],
);
