import { boolean, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";

/**
 * The keys of files in a store that can neither list by prefix nor overwrite a name. A row is written
 * before its file is sent and deleted after its file is deleted, so that no file in the store is
 * orphaned. Several keys may share one file.
 */
export const storedFiles = pgTable(
  "stored_files",
  {
    /** The file's unique name in the store. Never reused. */
    file: text().notNull(),
    key: text().notNull(),
    /** The store's own key of the file; null until the file is stored. */
    remoteKey: text(),
    /** The file is stored, and has not been replaced or removed. */
    current: boolean().notNull().default(false),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.file, table.key] }),
    // Byte order, independent of the database's collation, so that it also serves prefixes.
    index().on(table.key.op("text_pattern_ops")),
  ],
);
