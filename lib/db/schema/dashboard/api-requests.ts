import { index, integer, json, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** A file of a request. Its content is not kept here. */
export interface RequestFile {
  /** The form's field. */
  readonly field: string;
  readonly filename: string;
  /** The size of the file; null if the request was rejected before the file was complete. */
  readonly bytes: number | null;
}

/** What a request sent. Secret values are `***`, and long ones are truncated. */
export interface RequestParams {
  /** The query of the URL. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** The JSON body, or the fields of the form. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly files?: readonly RequestFile[];
}

/**
 * A request to the API that had a valid key. The table is partitioned by the day of `createdAt`, which Drizzle does
 * not express: see `queries/requests/partitions.ts`.
 */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** The `X-Request-Id` of the response. Ids sort by time. */
    id: text().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    apiKeyId: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    status: smallint().notNull(),
    /** The code of the error; null if the request succeeded. */
    errorCode: text(),
    error: text(),
    /** The client's IP address; null if it is not known. */
    address: text(),
    /** The time until the response began. */
    durationMs: integer().notNull(),
    /** The job that the request created or named. It may not exist. */
    jobId: text(),
    params: json().$type<RequestParams>().notNull(),
    createdAt: timestampMs().notNull(),
  },
  (table) => [
    // A unique key of a partitioned table has the partition's column. A repeated insert has the same time, too.
    primaryKey({ name: "api_requests_pkey", columns: [table.id, table.createdAt] }),
    index().on(table.accountId, table.id),
    // Rows are inserted in the order of their time, so that this index is small and costs little.
    index().using("brin", table.createdAt),
  ],
);

export type ApiRequest = typeof apiRequests.$inferSelect;
