import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { byteCount, timestampMs } from "../columns.ts";
import { apiKeys } from "./api-keys.ts";

/** Short-lived tokens that a backend gives to the pages of its users, in place of its API key. */
export const browserTokens = pgTable(
  "browser_tokens",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The API key that created it. The token ends with it. */
    apiKeyId: text()
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    /** SHA-256 of the token, hex. */
    hash: text().notNull().unique(),
    /** Ids of operations and patterns of them: `image/sharpen`, `image/*` or `*`. */
    operations: text().array().notNull(),
    /** The most bytes of one file; null for the plan's limit. */
    maxBytes: byteCount(),
    maxJobs: integer().notNull(),
    /** How many jobs it has created. */
    jobs: integer().notNull().default(0),
    /** The origin whose pages may use it, such as `https://example.com`; null for callers that are no browsers. */
    origin: text(),
    createdAt: timestampMs().notNull().defaultNow(),
    expiresAt: timestampMs().notNull(),
  },
  (table) => [
    index().on(table.accountId),
    index().on(table.apiKeyId),
    index().on(table.expiresAt),
    // Preflight requests name only their origin.
    index().on(table.origin, table.expiresAt),
  ],
);
