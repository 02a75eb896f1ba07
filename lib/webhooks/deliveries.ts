import { type Queryable, transaction } from "#lib/db/client.ts";
import { insertDelivery, resetDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { createId } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit, Queue } from "#lib/queue/port.ts";

/** Creates a delivery and enqueues it, in the caller's transaction. Call `afterCommit` after the commit. */
export async function enqueueDelivery(
  tx: Queryable,
  opened: Queue,
  values: Pick<DeliveryRow, "accountId" | "jobId" | "url" | "event">,
): Promise<{ delivery: DeliveryRow; afterCommit: AfterCommit }> {
  const delivery = await insertDelivery(tx, { id: createId("whd"), ...values });
  return { delivery, afterCommit: await enqueueAttempt(tx, opened, delivery) };
}

/** Creates and enqueues a test event for `url`, signed like every other. */
export async function createTestDelivery(accountId: string, url: string): Promise<DeliveryRow> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction((tx) =>
    enqueueDelivery(tx, opened, { accountId, jobId: null, url, event: "test" }),
  );
  await afterCommit();
  return delivery;
}

/** Sends a delivery again, with the same id. Undefined if the account has no such delivery. */
export async function resendDelivery(
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const opened = await queue();
  const resent = await transaction(async (tx) => {
    const delivery = await resetDelivery(tx, accountId, id);
    return delivery && { delivery, afterCommit: await enqueueAttempt(tx, opened, delivery) };
  });
  await resent?.afterCommit();
  return resent?.delivery;
}

function enqueueAttempt(tx: Queryable, opened: Queue, delivery: DeliveryRow): Promise<AfterCommit> {
  const { id: deliveryId, accountId, url, attempts } = delivery;
  const dedupeKey = `${attempts.length}-${Date.now()}`;
  return opened.enqueueDelivery(tx, { deliveryId, accountId, url, dedupeKey, delaySeconds: 0 });
}
