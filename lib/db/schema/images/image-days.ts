import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { byteCount } from "../columns.ts";

/** The pictures that an account's URLs were answered with, by day in UTC. */
export const imageDays = pgTable(
  "image_days",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The day, such as `2026-11-21`. */
    day: date({ mode: "string" }).notNull(),
    /** Pictures from the cache, and those that were made. */
    hits: integer().notNull().default(0),
    misses: integer().notNull().default(0),
    /** Requests that got an error. */
    errors: integer().notNull().default(0),
    /** Bytes of the sources, which count against the plan. */
    sourceBytes: byteCount().notNull().default(0),
    /** Bytes of the pictures that were sent. */
    sentBytes: byteCount().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
);
