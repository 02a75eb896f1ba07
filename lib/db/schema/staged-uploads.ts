import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";

/**
 * Jobs whose files are being stored before the job exists. The row is deleted when the job is
 * inserted. If the job is never inserted, the row is deleted after the files.
 */
export const stagedUploads = pgTable(
  "staged_uploads",
  {
    /** The id that the job will have. */
    jobId: text().primaryKey(),
    /** The files are being deleted: no job can be inserted for them any more. */
    discarded: boolean().notNull().default(false),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)],
);
