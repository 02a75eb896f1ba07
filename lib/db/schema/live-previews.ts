import { index, json, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";
import type { LiveResult, LiveTask } from "./live-task.ts";

/**
 * Live previews that wait for a runner, and their results until the web process has read them: a row lives for some
 * ten milliseconds. The table is unlogged, so that a preview costs no write to disk. A crash of the database empties
 * it. Not a job: it has no record, no usage and no place in the queue.
 */
export const livePreviews = pgTable(
  "live_previews",
  {
    /** The id, such as `prv_…`. Ids sort by time. */
    id: text().primaryKey(),
    task: json().$type<LiveTask>().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
    /** When a runner took it. */
    claimedAt: timestampMs(),
    /** Null until it is done. */
    result: json().$type<LiveResult>(),
  },
  (table) => [index().on(table.createdAt)],
);
