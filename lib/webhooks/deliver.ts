import { Webhook } from "standardwebhooks";
import { db, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts.ts";
import { findDelivery, recordAttempt } from "#lib/db/queries/webhook-deliveries.ts";
import type { DeliveryAttempt, DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { log } from "#lib/log.ts";
import { guardedRequest } from "#lib/net/send.ts";
import { queue } from "#lib/queue/index.ts";
import { nextAttemptDelay } from "./schedule.ts";

/** What makes the `data` of a notification; the layer above knows how a job is described. */
export type DescribePayload = (delivery: DeliveryRow) => Promise<unknown>;

const timeoutMs = 15_000;

/**
 * Makes the attempt that is due of one delivery and arranges the next one. One attempt a run, so
 * that a dead receiver holds nothing. A ticket that comes twice finds nothing due.
 */
export async function deliverWebhook(
  deliveryId: string,
  describePayload: DescribePayload,
): Promise<void> {
  const delivery = await findDelivery(db(), deliveryId);
  if (delivery?.status !== "pending") return;
  if (delivery.nextAttemptAt && delivery.nextAttemptAt.getTime() > Date.now() + 500) return;
  const { attempt, retryAfter } = await send(delivery, await describePayload(delivery));
  const delivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const delaySeconds =
    delivered || attempt.status === 410
      ? null
      : nextAttemptDelay(delivery.attemptsInRound + 1, retryAfter);
  const status = delivered ? "delivered" : delaySeconds === null ? "failed" : "pending";
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    await recordAttempt(tx, delivery, attempt, { status, delaySeconds });
    if (delaySeconds === null) return undefined;
    return opened.announceDelivery(tx, {
      deliveryId,
      accountId: delivery.accountId,
      round: String(delivery.attempts.length + 1),
      delaySeconds,
    });
  });
  await afterCommit?.();
  const fields = { job_id: delivery.jobId, delivery_id: deliveryId, status: attempt.status };
  log.info({ ...fields, duration_ms: attempt.durationMs }, `webhook ${status}`);
}

async function send(
  delivery: DeliveryRow,
  data: unknown,
): Promise<{ attempt: DeliveryAttempt; retryAfter: string | null }> {
  const at = new Date();
  const body = JSON.stringify({ type: delivery.event, timestamp: at.toISOString(), data });
  const result = (status: number | null, response: string): DeliveryAttempt => ({
    at: at.toISOString(),
    status,
    durationMs: Date.now() - at.getTime(),
    // PostgreSQL's JSON holds no NUL.
    response: response.replaceAll("\0", "\uFFFD"),
  });
  try {
    const headers = await signedHeaders(delivery, at, body);
    const answer = await guardedRequest({
      method: "POST",
      url: delivery.url,
      headers,
      body,
      timeoutMs,
      maxResponseBytes: 1024,
      purpose: "webhook",
    });
    const retryAfter = answer.headers["retry-after"];
    return {
      attempt: result(answer.status, answer.bodyStart),
      retryAfter: typeof retryAfter === "string" ? retryAfter : null,
    };
  } catch (error) {
    const sentence = error instanceof Error ? error.message : "The receiver could not be reached.";
    return { attempt: result(null, sentence), retryAfter: null };
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
