import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";

/** What one attempt of a delivery sent, kept for thirty days so that a receiver can be mended by it. */
export const webhookRequests = pgTable(
  "webhook_requests",
  {
    deliveryId: text()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    /** The same moment as the attempt's. */
    at: moment().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    /** The first 16 Ki characters. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.at] }), index().on(table.at)],
);
