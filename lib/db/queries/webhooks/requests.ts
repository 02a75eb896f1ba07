import { and, asc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { webhookDeliveries } from "../../schema/webhook-deliveries.ts";
import { webhookRequests } from "../../schema/webhook-requests.ts";

export type WebhookRequest = typeof webhookRequests.$inferSelect;

/** A longer body is truncated. In characters. */
export const keptBodyLength = 65_536;

const keptDays = 30;

/** Stores what an attempt sent. Does nothing if the delivery is gone: its account may be deleted at any time. */
export async function insertWebhookRequest(db: Queryable, request: WebhookRequest): Promise<void> {
  const { deliveryId, at, headers, body } = request;
  await db.execute(sql`
    insert into webhook_requests (delivery_id, at, headers, body)
    select id, ${at.toISOString()}::timestamptz, ${JSON.stringify(headers)}::jsonb,
      ${body.slice(0, keptBodyLength)}
    from webhook_deliveries where id = ${deliveryId} for key share
    on conflict do nothing`);
}

/** The requests of an account's delivery, oldest first. */
export function listWebhookRequests(
  db: Queryable,
  accountId: string,
  deliveryId: string,
): Promise<WebhookRequest[]> {
  return db
    .select(getTableColumns(webhookRequests))
    .from(webhookRequests)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, webhookRequests.deliveryId))
    .where(
      and(eq(webhookRequests.deliveryId, deliveryId), eq(webhookDeliveries.accountId, accountId)),
    )
    .orderBy(asc(webhookRequests.at));
}

export async function deleteOldWebhookRequests(db: Queryable): Promise<void> {
  await db
    .delete(webhookRequests)
    .where(lt(webhookRequests.at, sql`now() - make_interval(days => ${keptDays})`));
}
