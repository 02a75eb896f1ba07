import { boolean, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/**
 * What is kept in a store that can neither list by prefix nor take a name a second time: our key
 * for each of its files. Written before a file is sent and deleted after the file is, so that
 * nothing in the store is ever forgotten. Several keys may share one file.
 */
export const storedFiles = pgTable(
  "stored_files",
  {
    /** The name that we gave it in the store, never used again. */
    file: text().notNull(),
    key: text().notNull(),
    /** What the store itself calls it; null until it has arrived. */
    remoteKey: text(),
    /** It has arrived, and nothing has replaced or removed it. */
    current: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.file, table.key] }),
    // Byte order, whatever the database's language: it serves a key and all keys of a prefix.
    index().on(table.key.op("text_pattern_ops")),
  ],
);
