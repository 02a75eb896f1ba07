import { Webhook } from "standardwebhooks";
import { faultPoint } from "#faults";
import { db, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { recordAttempt, takeAttempt } from "#lib/db/queries/webhooks/deliveries.ts";
import { keepWebhookRequest } from "#lib/db/queries/webhooks/requests.ts";
import type { DeliveryAttempt, DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { webhookAttempts, webhookDuration } from "#lib/metrics.ts";
import type { Network } from "#lib/net/network.ts";
import { guardedRequest } from "#lib/net/send.ts";
import { queue } from "#lib/queue/index.ts";
import { times } from "#times";
import { nextAttemptDelay } from "./schedule.ts";

/** What makes the `data` of a notification; the layer above knows how a job is described. */
export type DescribePayload = (delivery: DeliveryRow) => Promise<unknown>;

/** How an attempt is made; tests have their own network. */
export interface AttemptOptions {
  readonly answerMs?: number;
  readonly network?: Network;
}

/**
 * Makes the attempt that is due of one delivery and arranges the next one. One attempt a run, so
 * that a dead receiver holds nothing. A ticket that comes twice finds nothing due.
 */
export async function deliverWebhook(
  deliveryId: string,
  describePayload: DescribePayload,
  options: AttemptOptions = {},
): Promise<void> {
  const delivery = await takeAttempt(db(), deliveryId, times.attemptSeconds);
  if (!delivery) return;
  const { id, accountId, jobId, url } = delivery;
  faultPoint("before-attempt", jobId ?? id);
  const sent = await send(delivery, await describePayload(delivery), options);
  const { attempt, headers, body, retryAfter } = sent;
  faultPoint("after-attempt", jobId ?? id);
  const delivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const delaySeconds =
    delivered || attempt.status === 410
      ? null
      : nextAttemptDelay(delivery.attemptsInRound + 1, retryAfter);
  const status = delivered ? "delivered" : delaySeconds === null ? "failed" : "pending";
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    await keepWebhookRequest(tx, { deliveryId, at: new Date(attempt.at), headers, body });
    const recorded = await recordAttempt(tx, delivery, attempt, { status, delaySeconds });
    if (!recorded || delaySeconds === null) return undefined;
    const round = String(delivery.attempts.length + 1);
    return opened.announceDelivery(tx, { deliveryId, accountId, url, round, delaySeconds });
  });
  await afterCommit?.();
  webhookAttempts.inc({ outcome: outcomeOf[status] });
  webhookDuration.observe(attempt.durationMs / 1000);
  const fields = { job: jobId, delivery_id: id, status: attempt.status };
  log.info({ ...fields, duration_ms: attempt.durationMs }, `webhook ${status}`);
}

/** An attempt that was made: what was sent, and how it ended. */
interface SentAttempt {
  readonly attempt: DeliveryAttempt;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly retryAfter: string | null;
}

const outcomeOf = { delivered: "delivered", pending: "refused", failed: "given_up" } as const;

async function send(
  delivery: DeliveryRow,
  data: unknown,
  { answerMs = times.answerMs, network }: AttemptOptions,
): Promise<SentAttempt> {
  const at = new Date();
  const body = JSON.stringify({ type: delivery.event, timestamp: at.toISOString(), data });
  const headers = await signedHeaders(delivery, at, body);
  const result = (status: number | null, response: string): DeliveryAttempt => ({
    at: at.toISOString(),
    status,
    durationMs: Date.now() - at.getTime(),
    // PostgreSQL's JSON holds no NUL.
    response: response.replaceAll("\0", "\uFFFD"),
  });
  try {
    const request = {
      method: "POST",
      url: delivery.url,
      headers,
      body,
      timeoutMs: answerMs,
      maxResponseBytes: 1024,
      purpose: "webhook",
    } as const;
    const answer = await guardedRequest(request, network);
    const retryAfter = answer.headers["retry-after"] ?? null;
    const attempt = result(answer.status, answer.bodyStart);
    return { attempt, headers, body, retryAfter };
  } catch (error) {
    // Its sentence is for the account to read; of anything else there is none.
    if (!(error instanceof JobError)) throw error;
    return { attempt: result(null, error.message), headers, body, retryAfter: null };
  }
}

/** Standard Webhooks headers; after a rotation both secrets sign, so that a receiver may still know the former. */
async function signedHeaders(
  delivery: DeliveryRow,
  at: Date,
  body: string,
): Promise<Record<string, string>> {
  const account = await findAccount(db(), delivery.accountId);
  if (!account) throw new Error("the delivery's account is gone");
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
