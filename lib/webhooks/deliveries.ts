import { type Queryable, transaction } from "#lib/db/client.ts";
import { insertDelivery, reopenDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { createId } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit, Queue } from "#lib/queue/port.ts";

/** A notification that is owed, in the caller's transaction; what must wait for its commit comes back. */
export async function oweDelivery(
  tx: Queryable,
  opened: Queue,
  values: Pick<DeliveryRow, "accountId" | "jobId" | "url" | "event">,
): Promise<{ delivery: DeliveryRow; afterCommit: AfterCommit }> {
  const delivery = await insertDelivery(tx, { id: createId("whd"), ...values });
  return { delivery, afterCommit: await announce(tx, opened, delivery) };
}

/** Sends a test event to `url`, signed like every other. */
export async function sendTest(accountId: string, url: string): Promise<DeliveryRow> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction((tx) =>
    oweDelivery(tx, opened, { accountId, jobId: null, url, event: "test" }),
  );
  await afterCommit();
  return delivery;
}

/** Sends a delivery again, under the same id. Undefined where the account has no such delivery. */
export async function resendDelivery(
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const opened = await queue();
  const sent = await transaction(async (tx) => {
    const delivery = await reopenDelivery(tx, accountId, id);
    return delivery && { delivery, afterCommit: await announce(tx, opened, delivery) };
  });
  await sent?.afterCommit();
  return sent?.delivery;
}

/** The attempts' number sets this announcement apart from those before. */
function announce(tx: Queryable, opened: Queue, delivery: DeliveryRow): Promise<AfterCommit> {
  const { id: deliveryId, accountId, url, attempts } = delivery;
  const round = `${attempts.length}-${Date.now()}`;
  return opened.announceDelivery(tx, { deliveryId, accountId, url, round, delaySeconds: 0 });
}
