import { Webhook } from "standardwebhooks";
import { faultPoint } from "#faults";
import { db, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { claimAttempt, recordAttempt } from "#lib/db/queries/webhooks/deliveries.ts";
import { insertWebhookRequest } from "#lib/db/queries/webhooks/requests.ts";
import type { DeliveryAttempt, DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { webhookAttempts, webhookDuration } from "#lib/metrics.ts";
import { defaultNetwork, type Network } from "#lib/net/network.ts";
import { guardedRequest } from "#lib/net/send.ts";
import { queue } from "#lib/queue/index.ts";
import { times } from "#times";
import { nextAttemptDelay } from "./schedule.ts";

/** Creates the `data` of a notification. A parameter, because jobs belong to a layer above. */
export type SerializePayload = (delivery: DeliveryRow) => Promise<unknown>;

/** How an attempt is made. Tests use another network. */
export interface AttemptOptions {
  /** How long the receiver may take to respond. */
  readonly responseMs?: number;
  readonly network?: Network;
}

/**
 * Makes the due attempt of a delivery and schedules the next one. One call makes one attempt, so that
 * a dead receiver occupies nothing between attempts. A duplicate queue message finds no due attempt:
 * then it resolves with undefined.
 */
export async function deliverWebhook(
  deliveryId: string,
  serializePayload: SerializePayload,
  options: AttemptOptions = {},
): Promise<AttemptReport | undefined> {
  const delivery = await claimAttempt(db(), deliveryId, times.attemptLeaseSeconds);
  if (!delivery) return undefined;
  const { accountId, jobId, url } = delivery;
  faultPoint("before-attempt", jobId ?? deliveryId);
  const sent = await send(delivery, await serializePayload(delivery), options);
  const { attempt, headers, body } = sent;
  faultPoint("after-attempt", jobId ?? deliveryId);
  const next = nextStep(delivery, sent);
  const { status, delaySeconds } = next;
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    await insertWebhookRequest(tx, { deliveryId, at: new Date(attempt.at), headers, body });
    const recorded = await recordAttempt(tx, delivery, attempt, next);
    if (!recorded || delaySeconds === null) return undefined;
    const dedupeKey = String(delivery.attempts.length + 1);
    return opened.enqueueDelivery(tx, { deliveryId, accountId, url, dedupeKey, delaySeconds });
  });
  await afterCommit?.();
  webhookAttempts.inc({ outcome: outcomes[status] });
  webhookDuration.observe(attempt.durationMs / 1000);
  const fields = { job: jobId, delivery_id: deliveryId, status: attempt.status };
  log.info({ ...fields, duration_ms: attempt.durationMs }, events[status]);
  return {
    ...{ delivery: deliveryId, job: jobId, account: accountId },
    attempt: delivery.attempts.length + 1,
    outcome: outcomes[status],
    status: attempt.status,
    duration_ms: attempt.durationMs,
  };
}

/** What an attempt did, for the run history of the queue. */
export interface AttemptReport {
  readonly delivery: string;
  /** Null for a test event. */
  readonly job: string | null;
  readonly account: string;
  /** From 1. */
  readonly attempt: number;
  readonly outcome: (typeof outcomes)[keyof typeof outcomes];
  /** The receiver's; null without a response. */
  readonly status: number | null;
  readonly duration_ms: number;
}

const outcomes = { delivered: "delivered", pending: "refused", failed: "given_up" } as const;
const events = {
  delivered: "webhook delivered",
  pending: "webhook attempt failed",
  failed: "webhook given up",
} as const;

/** What follows from an attempt. `delaySeconds` null: no further attempt. */
function nextStep(
  { attemptsSinceSend }: DeliveryRow,
  { attempt, retryAfter, isHopeless }: SentAttempt,
): { readonly status: DeliveryRow["status"]; readonly delaySeconds: number | null } {
  const { status } = attempt;
  if (status !== null && status >= 200 && status < 300) {
    return { status: "delivered", delaySeconds: null };
  }
  const isLast = status === 410 || isHopeless;
  const delaySeconds = isLast ? null : nextAttemptDelay(attemptsSinceSend + 1, retryAfter);
  return { status: delaySeconds === null ? "failed" : "pending", delaySeconds };
}

/** A completed attempt: what was sent and how it ended. */
interface SentAttempt {
  readonly attempt: DeliveryAttempt;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly retryAfter: string | null;
  /** The URL can never be called: it was accepted when the operator still allowed it. */
  readonly isHopeless: boolean;
}

async function send(
  delivery: DeliveryRow,
  data: unknown,
  { responseMs = times.webhookResponseMs, network }: AttemptOptions,
): Promise<SentAttempt> {
  const at = new Date();
  const body = JSON.stringify({ type: delivery.event, timestamp: at.toISOString(), data });
  const headers = await signedHeaders(delivery, at, body);
  const result = (status: number | null, response: string): DeliveryAttempt => ({
    at: at.toISOString(),
    status,
    durationMs: Date.now() - at.getTime(),
    // PostgreSQL's JSON allows no NUL.
    response: response.replaceAll("\0", "\uFFFD"),
  });
  try {
    const request = {
      method: "POST",
      url: delivery.url,
      headers,
      body,
      timeoutMs: responseMs,
      maxResponseBytes: 1024,
      purpose: "webhook",
    } as const;
    const response = await guardedRequest(request, network);
    const retryAfter = response.headers["retry-after"] ?? null;
    const attempt = result(response.status, response.bodyStart);
    return { attempt, headers, body, retryAfter, isHopeless: false };
  } catch (error) {
    // Only a JobError has a message that customers may read.
    if (!(error instanceof JobError)) throw error;
    const { guard } = network ?? defaultNetwork();
    const isHopeless = guard.findObstacle(new URL(delivery.url), "webhook") !== undefined;
    return { attempt: result(null, error.message), headers, body, retryAfter: null, isHopeless };
  }
}

/** The headers of Standard Webhooks. After a rotation, both secrets sign, so that receivers have time to change. */
async function signedHeaders(
  delivery: DeliveryRow,
  at: Date,
  body: string,
): Promise<Record<string, string>> {
  const account = await findAccount(db(), delivery.accountId);
  if (!account) throw new Error(`delivery ${delivery.id} has no account`);
  const secrets = [account.webhookSecret];
  const { previousWebhookSecret, previousWebhookSecretExpiresAt } = account;
  if (
    previousWebhookSecret &&
    previousWebhookSecretExpiresAt &&
    previousWebhookSecretExpiresAt > at
  ) {
    secrets.push(previousWebhookSecret);
  }
  return {
    "content-type": "application/json",
    "user-agent": "Mediamill-Webhooks/1.0",
    "webhook-id": delivery.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(delivery.id, at, body))
      .join(" "),
  };
}
