import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";
import { jobs } from "../jobs.ts";

/**
 * A public page with the result of a job, at `/r/{token}`. Its files are those of the job, so a share ends with them
 * at the latest.
 */
export const shares = pgTable(
  "shares",
  {
    /** The id, such as `shr_…`. Ids sort by time. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    jobId: text()
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    /** The last segment of the page's path: who knows it may see the page. */
    token: text().notNull().unique(),
    /** The heading that the account chose; null for the name of the operation. */
    title: text(),
    /** The name of the files, without an extension; null if they have neutral names. */
    filename: text(),
    /** Whether the page also has the input. */
    withInput: boolean().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
    expiresAt: timestampMs().notNull(),
  },
  (table) => [
    index().on(table.accountId, table.id),
    index().on(table.jobId),
    index().on(table.expiresAt),
  ],
);

export type ShareRow = typeof shares.$inferSelect;
