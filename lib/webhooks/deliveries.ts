import { type Queryable, transaction } from "#lib/db/client.ts";
import {
  findOwnDelivery,
  insertDelivery,
  resetDelivery,
} from "#lib/db/queries/webhooks/deliveries.ts";
import { findEndpoint } from "#lib/db/queries/webhooks/endpoints.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit, Queue } from "#lib/queue/port.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import { countManualSend } from "./manual-sends.ts";

/** Creates a delivery and enqueues it, in the caller's transaction. Call `afterCommit` after the commit. */
export async function enqueueDelivery(
  tx: Queryable,
  opened: Queue,
  values: Pick<DeliveryRow, "accountId" | "jobId" | "url" | "event"> &
    Partial<Pick<DeliveryRow, "endpointId">> & { readonly manual?: true },
): Promise<{ delivery: DeliveryRow; afterCommit: AfterCommit }> {
  const traceContext = currentTrace() ?? null;
  const delivery = await insertDelivery(tx, { id: createId("whd"), traceContext, ...values });
  return { delivery, afterCommit: await enqueueAttempt(tx, opened, delivery) };
}

/** The same for a delivery without a job that the account sends by hand. Throws `rate_limited`. */
export async function enqueueManualDelivery(
  tx: Queryable,
  opened: Queue,
  values: Pick<DeliveryRow, "accountId" | "url" | "event"> &
    Partial<Pick<DeliveryRow, "endpointId">>,
): Promise<{ delivery: DeliveryRow; afterCommit: AfterCommit }> {
  await countManualSend(tx, values.accountId, values.url);
  return enqueueDelivery(tx, opened, { ...values, jobId: null, manual: true });
}

/** Creates and enqueues a test event for `url`, signed like every other. Throws `rate_limited`. */
export async function createTestDelivery(accountId: string, url: string): Promise<DeliveryRow> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction((tx) =>
    enqueueManualDelivery(tx, opened, { accountId, url, event: "test" }),
  );
  await afterCommit();
  return delivery;
}

/**
 * Sends a delivery again, with the same id: to the present URL of its endpoint, even if that is disabled. Undefined if
 * the account has no such delivery. Throws `rate_limited`, and `conflict` if its endpoint was deleted.
 */
export async function resendDelivery(
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const opened = await queue();
  const resent = await transaction(async (tx) => {
    const known = await findOwnDelivery(tx, accountId, id);
    if (!known) return undefined;
    const url = await currentUrl(tx, known);
    await countManualSend(tx, accountId, url);
    const delivery = await resetDelivery(tx, known, { url, traceContext: currentTrace() ?? null });
    return delivery && { delivery, afterCommit: await enqueueAttempt(tx, opened, delivery) };
  });
  await resent?.afterCommit();
  return resent?.delivery;
}

async function currentUrl(
  tx: Queryable,
  { accountId, endpointId, url }: DeliveryRow,
): Promise<string> {
  if (endpointId === null) return url;
  const endpoint = await findEndpoint(tx, accountId, endpointId);
  if (endpoint) return endpoint.url;
  throw new RequestError("conflict", "The endpoint of this webhook was deleted.");
}

function enqueueAttempt(tx: Queryable, opened: Queue, delivery: DeliveryRow): Promise<AfterCommit> {
  const { id: deliveryId, accountId, url, attempts } = delivery;
  const dedupeKey = `${attempts.length}-${Date.now()}`;
  return opened.enqueueDelivery(tx, { deliveryId, accountId, url, dedupeKey, delaySeconds: 0 });
}
