import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";

/** What each delivery attempt sent, kept for 30 days so that customers can debug their receivers. */
export const webhookRequests = pgTable(
  "webhook_requests",
  {
    deliveryId: text()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    /** The same time as the attempt's `at`. */
    at: timestampMs().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    /** The first 64 Ki characters. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.at] }), index().on(table.at)],
);
