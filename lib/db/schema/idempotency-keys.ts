import { index, json, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { timestampMs } from "./columns.ts";

/**
 * The response to the first request with an `Idempotency-Key`, stored for 24 hours. Of an upload, its id alone: the
 * URLs are signed again.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    key: text().notNull(),
    /** SHA-256 of the request: operation, fields and the hashes of the files. */
    fingerprint: text().notNull(),
    status: smallint().notNull(),
    body: json().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] }), index().on(table.createdAt)],
);
