import { index, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";

/**
 * Jobs whose files are being stored before the job exists. The row is deleted when the job is
 * inserted. If the job is never inserted, the sweep deletes the files.
 */
export const stagedUploads = pgTable(
  "staged_uploads",
  {
    /** The id that the job will have. */
    jobId: text().primaryKey(),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)],
);
