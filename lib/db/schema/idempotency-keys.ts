import { index, json, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** The first answer to a request with an `Idempotency-Key`, kept for 24 hours. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    key: text().notNull(),
    /** SHA-256 of what was asked: operation, fields and the files' hashes. */
    fingerprint: text().notNull(),
    status: smallint().notNull(),
    body: json().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] }), index().on(table.createdAt)],
);
