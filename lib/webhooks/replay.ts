import { db, transaction } from "#lib/db/client.ts";
import { insertContent } from "#lib/db/queries/webhooks/contents.ts";
import { findReceivedRequest } from "#lib/db/queries/webhooks/received.ts";
import { keptBodyLength, listWebhookRequests } from "#lib/db/queries/webhooks/requests.ts";
import { type DeliveryType, deliveryTypes } from "#lib/db/schema/event-types.ts";
import type { WebhookContent } from "#lib/db/schema/receiver/webhook-contents.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { RequestError } from "#lib/errors.ts";
import { queue } from "#lib/queue/index.ts";
import { enqueueManualDelivery } from "./deliveries.ts";

/** A body of this length may be truncated too: earlier versions stored no more. In characters. */
const formerKeptLength = 16_384;

/** Sends a text to a URL as a webhook of the account, as it is. Throws `rate_limited`. */
export async function sendContent(
  accountId: string,
  url: string,
  event: DeliveryType,
  content: Omit<WebhookContent, "deliveryId">,
): Promise<DeliveryRow> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction(async (tx) => {
    const enqueued = await enqueueManualDelivery(tx, opened, { accountId, url, event });
    await insertContent(tx, { deliveryId: enqueued.delivery.id, ...content });
    return enqueued;
  });
  await afterCommit();
  return delivery;
}

/**
 * Sends a request that the account's receiver got to a URL: with its body and `webhook-id`, and with a signature of
 * now. Throws `not_found`, `rate_limited`, and `conflict` if its body was not kept as it was.
 */
export async function replayReceived(
  accountId: string,
  id: string,
  url: string,
): Promise<DeliveryRow> {
  const received = await findReceivedRequest(db(), accountId, id);
  if (!received) throw new RequestError("not_found", "This request was deleted.");
  if (!received.isExact) {
    throw new RequestError(
      "conflict",
      "This request cannot be replayed: its body is longer than 64 KiB, or is not UTF-8 text.",
    );
  }
  return replay(accountId, url, received.event ?? "", received);
}

/** Sends the newest request of an account's delivery to another URL. Throws as `replayReceived` does. */
export async function replayDelivery(
  { accountId, id, event }: Pick<DeliveryRow, "accountId" | "id" | "event">,
  url: string,
): Promise<DeliveryRow> {
  const request = (await listWebhookRequests(db(), accountId, id)).at(-1);
  if (!request) {
    const message = "No request of this delivery is stored: they are kept for 30 days.";
    throw new RequestError("not_found", message);
  }
  if (request.body.length >= keptBodyLength || request.body.length === formerKeptLength) {
    const message = "This webhook cannot be replayed: its body is longer than 64 KiB.";
    throw new RequestError("conflict", message);
  }
  return replay(accountId, url, event, request);
}

function replay(
  accountId: string,
  url: string,
  type: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<DeliveryRow> {
  const { "webhook-id": webhookId = "", "content-type": contentType = "" } = headers;
  // The headers of a received request are untrusted. A period in the id could shift what the signature is about.
  return sendContent(accountId, url, isDeliveryType(type) ? type : "test", {
    webhookId: /^[\w-]{1,200}$/.test(webhookId) ? webhookId : null,
    contentType: /^[\x20-\x7e]{1,200}$/.test(contentType) ? contentType : "application/json",
    body,
  });
}

function isDeliveryType(type: string): type is DeliveryType {
  return deliveryTypes.some((known) => known === type);
}
