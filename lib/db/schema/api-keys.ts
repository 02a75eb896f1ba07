import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** What a key is for; it opens the same in both. */
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
    /** SHA-256 of the key, hex. The key itself is shown once and kept nowhere. */
    hash: text().notNull().unique(),
    /** First 12 characters, to be recognised by. */
    prefix: text().notNull(),
    /** Last 4 characters. */
    lastFour: text().notNull(),
    environment: text({ enum: keyEnvironments }).notNull().default("production"),
    createdAt: moment().notNull().defaultNow(),
    expiresAt: moment(),
    revokedAt: moment(),
    /** Written at most once a minute. */
    lastUsedAt: moment(),
  },
  (table) => [index().on(table.accountId, table.createdAt)],
);
