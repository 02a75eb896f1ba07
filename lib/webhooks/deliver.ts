import { faultPoint } from "#faults";
import { db, transaction } from "#lib/db/client.ts";
import { claimAttempt, recordAttempt } from "#lib/db/queries/webhooks/deliveries.ts";
import {
  deleteIfJobEnded,
  findEndpoint,
  giveUpClaimed,
} from "#lib/db/queries/webhooks/endpoints.ts";
import { insertWebhookRequest } from "#lib/db/queries/webhooks/requests.ts";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { log } from "#lib/log.ts";
import { webhookAttempts, webhookDuration } from "#lib/metrics.ts";
import { queue } from "#lib/queue/index.ts";
import { type Span, withSpan } from "#lib/tracing/spans.ts";
import { times } from "#times";
import {
  type AttemptOptions,
  type SentAttempt,
  type SerializePayload,
  sendAttempt,
} from "./attempt.ts";
import { recordHealth } from "./endpoints/health.ts";
import { nextAttemptDelay } from "./schedule.ts";

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
  const endpoint = await findTarget(delivery);
  if (endpoint === "none") return undefined;
  const { accountId, jobId, traceContext: parent } = delivery;
  const attributes = {
    "mediamill.delivery_id": deliveryId,
    "mediamill.account_id": accountId,
    "mediamill.job_id": jobId,
    "mediamill.attempt": delivery.attempts.length + 1,
    "http.request.method": "POST",
  };
  return withSpan("deliver webhook", { kind: "client", parent, attributes }, (span) =>
    makeAttempt({ delivery, endpoint }, serializePayload, options, span),
  );
}

/**
 * The endpoint of a claimed delivery; undefined if it goes to none. `none` if it is not sent any more: its endpoint was
 * deleted or disabled, or it is about the progress of a job that has ended.
 */
async function findTarget(delivery: DeliveryRow): Promise<EndpointRow | undefined | "none"> {
  const { accountId, endpointId, event, manual } = delivery;
  if (endpointId === null) return undefined;
  const endpoint = await findEndpoint(db(), accountId, endpointId);
  if (!endpoint || !(endpoint.enabled || manual)) {
    await giveUpClaimed(db(), delivery);
    return "none";
  }
  const isOutdated =
    event === "job.progress" && !manual && (await deleteIfJobEnded(db(), delivery));
  return isOutdated ? "none" : endpoint;
}

/** What an attempt is about. */
interface Attempted {
  readonly delivery: DeliveryRow;
  readonly endpoint: EndpointRow | undefined;
}

async function makeAttempt(
  { delivery, endpoint }: Attempted,
  serializePayload: SerializePayload,
  options: AttemptOptions,
  span: Span,
): Promise<AttemptReport> {
  const { id: deliveryId, accountId, jobId, url } = delivery;
  faultPoint("before-attempt", jobId ?? deliveryId);
  const sent = await sendAttempt(delivery, endpoint, serializePayload, options);
  const { attempt, headers, body } = sent;
  faultPoint("after-attempt", jobId ?? deliveryId);
  const next = nextStep(delivery, sent);
  const { status, delaySeconds } = next;
  span.setAttributes({
    "http.response.status_code": attempt.status,
    "mediamill.outcome": outcomes[status],
  });
  if (status !== "delivered") span.fail(attempt.status === null ? "no_response" : "refused");
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    if (endpoint) await recordHealth(tx, endpoint, attempt, { isOnlyOne: isOnlyOne(delivery) });
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
    delivery: deliveryId,
    job: jobId,
    account: accountId,
    attempt: delivery.attempts.length + 1,
    outcome: outcomes[status],
    status: attempt.status,
    duration_ms: attempt.durationMs,
  };
}

/** What an attempt did, for the run history of the queue. */
export interface AttemptReport {
  readonly delivery: string;
  /** The id of the job; null for a test event. */
  readonly job: string | null;
  readonly account: string;
  /** The number of the attempt, from 1. */
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
  delivery: DeliveryRow,
  { attempt, retryAfter, isHopeless }: SentAttempt,
): { readonly status: DeliveryRow["status"]; readonly delaySeconds: number | null } {
  const { status } = attempt;
  if (status !== null && status >= 200 && status < 300) {
    return { status: "delivered", delaySeconds: null };
  }
  const isLast = status === 410 || isHopeless || isOnlyOne(delivery);
  const delaySeconds = isLast ? null : nextAttemptDelay(delivery.attemptsSinceSend + 1, retryAfter);
  return { status: delaySeconds === null ? "failed" : "pending", delaySeconds };
}

/** Whether a delivery has one attempt, and is not retried. */
function isOnlyOne({ jobId, manual, event, endpointId }: DeliveryRow): boolean {
  // The user watches a test event, a sample or a replay, and sends another one if it failed.
  const isTry = manual && jobId === null && (endpointId === null || event === "test");
  // The next event has a newer progress.
  return isTry || event === "job.progress";
}
