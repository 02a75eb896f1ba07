import { eq } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type WebhookContent, webhookContents } from "../../schema/receiver/webhook-contents.ts";

/** Stores what a delivery sends. */
export async function insertContent(tx: Queryable, content: WebhookContent): Promise<void> {
  await tx.insert(webhookContents).values(content);
}

/** What a delivery sends; undefined if that is made from its job, and for a plain test event. */
export async function findContent(
  db: Queryable,
  deliveryId: string,
): Promise<WebhookContent | undefined> {
  const rows = await db
    .select()
    .from(webhookContents)
    .where(eq(webhookContents.deliveryId, deliveryId));
  return rows[0];
}
