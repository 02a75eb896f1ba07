import { boolean, index, integer, json, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** A request that an account's test receiver got. All of it is untrusted text. */
export const receivedRequests = pgTable(
  "received_requests",
  {
    /** The id, such as `rcv_…`. Ids sort by time. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    at: timestampMs().notNull(),
    method: text().notNull(),
    /** Names in lower case. Values that are credentials are `***`. */
    headers: json().$type<Readonly<Record<string, string>>>().notNull(),
    /** The first 64 KiB, decoded as UTF-8. */
    body: text().notNull(),
    /** The size of the whole body. */
    sizeBytes: integer().notNull(),
    /** Whether `body` has exactly the bytes that were received. */
    isExact: boolean().notNull(),
    /** The `type` of the JSON body; null if it has none. */
    event: text(),
    /** Why the signature does not verify, for people; null if it does. */
    signatureFault: text(),
    /** The status of the receiver's response. */
    responseStatus: smallint().notNull(),
    /** Whether the sender had given up before the response was due, so that it was not sent. */
    isLate: boolean().notNull().default(false),
    /** The sender's IP address; null if it is not known. */
    address: text(),
    /** The account's delivery that sent the request; null for all other senders. */
    deliveryId: text(),
  },
  (table) => [index().on(table.accountId, table.id), index().using("brin", table.at)],
);

export type ReceivedRequest = typeof receivedRequests.$inferSelect;
