import { boolean, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { timestampMs } from "../columns.ts";
import { uploads } from "./uploads.ts";

/** The requests that write parts of uploads at present, at most one for each part. */
export const uploadPartWriters = pgTable(
  "upload_part_writers",
  {
    uploadId: text()
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    /** The part's number, from 1. */
    number: integer().notNull(),
    writer: text().notNull(),
    /** When the writer last reported that it is alive. */
    seenAt: timestampMs().notNull().defaultNow(),
    /** Whether another request waits for the writer to end. */
    isWanted: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);
