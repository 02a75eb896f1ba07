import { pgTable, text } from "drizzle-orm/pg-core";
import { webhookDeliveries } from "../webhook-deliveries.ts";

/** What a delivery sends if it is not about a job: a sample, or an earlier request again. */
export const webhookContents = pgTable("webhook_contents", {
  deliveryId: text()
    .primaryKey()
    .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
  /** The `webhook-id` of every attempt, if it is not the delivery's id. */
  webhookId: text(),
  contentType: text().notNull(),
  body: text().notNull(),
});

export type WebhookContent = typeof webhookContents.$inferSelect;
