import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { findContent } from "#lib/db/queries/webhooks/contents.ts";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import type { DeliveryAttempt, DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { JobError } from "#lib/errors.ts";
import { type Network, networkFor } from "#lib/net/network.ts";
import { guardedRequest } from "#lib/net/send.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import { times } from "#times";
import { signingPairOf } from "./endpoints/secrets.ts";
import { requestOwnReceiver } from "./receiver/deliver.ts";
import { receiverTokenOf } from "./receiver/url.ts";
import {
  type SigningPair,
  signHeaders,
  signingSecrets,
  type WebhookMessage,
} from "./signature/sign.ts";

/** Creates the `data` of a notification. A parameter, because jobs belong to a layer above. */
export type SerializePayload = (delivery: DeliveryRow) => Promise<unknown>;

/** How an attempt is made. Tests use another network. */
export interface AttemptOptions {
  /** How long the receiver may take to respond. */
  readonly responseMs?: number;
  readonly network?: Network;
}

/** A completed attempt: what was sent and how it ended. */
export interface SentAttempt {
  readonly attempt: DeliveryAttempt;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly retryAfter: string | null;
  /** The URL can never be called: it was accepted when the operator still allowed it. */
  readonly isHopeless: boolean;
}

/**
 * Sends a webhook once. Failures of the receiver are part of the result. The secrets of `endpoint` sign it, or those of
 * the account.
 */
export async function sendAttempt(
  delivery: DeliveryRow,
  endpoint: EndpointRow | undefined,
  serializePayload: SerializePayload,
  { responseMs = times.webhookResponseMs, network = networkFor("webhooks") }: AttemptOptions,
): Promise<SentAttempt> {
  const at = new Date();
  const message = await createMessage(delivery, serializePayload, at);
  const signer = endpoint ? signingPairOf(endpoint) : await findSigner(delivery);
  const headers = { ...signHeaders(message, signingSecrets(signer, at), at), ...currentTrace() };
  const { body } = message;
  const result = (status: number | null, response: string): DeliveryAttempt => ({
    at: at.toISOString(),
    status,
    durationMs: Date.now() - at.getTime(),
    // PostgreSQL's JSON allows no NUL.
    response: response.replaceAll("\0", "\uFFFD"),
  });
  const isToReceiver = receiverTokenOf(delivery.url) !== undefined;
  try {
    const response = isToReceiver
      ? await requestOwnReceiver(delivery, { headers, body, signer }, responseMs)
      : await guardedRequest(
          {
            method: "POST",
            url: delivery.url,
            headers,
            body,
            timeoutMs: responseMs,
            maxResponseBytes: 1024,
          },
          network,
        );
    const retryAfter = response.headers["retry-after"] ?? null;
    const attempt = result(response.status, response.bodyStart);
    return { attempt, headers, body, retryAfter, isHopeless: false };
  } catch (error) {
    // Only a JobError has a message that customers may read.
    if (!(error instanceof JobError)) throw error;
    const isHopeless = isToReceiver
      ? error.code === "address_refused"
      : network.guard.findObstacle(new URL(delivery.url), "webhooks") !== undefined;
    return { attempt: result(null, error.message), headers, body, retryAfter: null, isHopeless };
  }
}

/** What the delivery sends: its job as it is now, or what was stored with it. */
async function createMessage(
  delivery: DeliveryRow,
  serializePayload: SerializePayload,
  at: Date,
): Promise<WebhookMessage> {
  const { id, jobId, event: type } = delivery;
  const content = jobId === null ? await findContent(db(), id) : undefined;
  if (content) {
    const { webhookId, contentType, body } = content;
    return { id: webhookId ?? id, contentType, body };
  }
  const data = await serializePayload(delivery);
  return { id, body: JSON.stringify({ type, timestamp: at.toISOString(), data }) };
}

async function findSigner({ id, accountId }: DeliveryRow): Promise<SigningPair> {
  const account = await findAccount(db(), accountId);
  if (!account) throw new Error(`delivery ${id} has no account`);
  return account;
}
