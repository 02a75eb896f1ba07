import { index, json, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

export const connectionTypes = ["s3", "s3_role", "gcs", "azure", "sftp", "webdav"] as const;
export type ConnectionType = (typeof connectionTypes)[number];

export const connectionAccess = ["read", "write", "both"] as const;
export type ConnectionAccess = (typeof connectionAccess)[number];

/** A store of an account: where it keeps files, and what opens it. */
export const connections = pgTable(
  "connections",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    type: text({ enum: connectionTypes }).notNull(),
    name: text().notNull(),
    /** The folder that the connection cannot leave, without slashes at its ends; empty for all of the store. */
    prefix: text().notNull().default(""),
    access: text({ enum: connectionAccess }).notNull().default("both"),
    /** The operations whose jobs may use it; null for all. */
    operations: json().$type<readonly string[]>(),
    /** The fields of the type that are no secrets. */
    config: json().$type<Record<string, string | number>>().notNull(),
    /** The secret fields of the type as JSON, encrypted. */
    secrets: text().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
    /** When the connection was last tested, and what was wrong then; null if nothing was. */
    testedAt: timestampMs(),
    testError: text(),
    /** When a job last used it. */
    usedAt: timestampMs(),
  },
  (table) => [index().on(table.accountId, table.createdAt)],
);

export type ConnectionRow = typeof connections.$inferSelect;
