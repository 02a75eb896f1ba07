import type { Queryable } from "#lib/db/client.ts";
import {
  giveUpDeliveriesOf,
  lockEndpoint,
  updateEndpoint,
} from "#lib/db/queries/webhooks/endpoints.ts";
import type { DisabledReason, EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import type { DeliveryAttempt } from "#lib/db/schema/webhook-deliveries.ts";
import { log } from "#lib/log.ts";
import { sendAccountEvent } from "./account-event.ts";
import { disabledEventData } from "./event-data.ts";

/** How long an endpoint may fail without a success before it is disabled. */
const maxFailingMs = 5 * 24 * 3_600_000;

/**
 * Draws the consequences of an attempt for its endpoint, in the attempt's transaction and before the delivery is
 * written. An endpoint that answers 410, or has failed for five days, is disabled. `endpoint` is as it was before the
 * attempt. `isOnlyOne`: the attempt is not retried, so that its failure does not count: else an endpoint that failed a
 * test weeks ago, and got nothing since, would be disabled by the first failure of an event.
 */
export async function recordHealth(
  tx: Queryable,
  endpoint: EndpointRow,
  { status, at }: Pick<DeliveryAttempt, "status" | "at">,
  { isOnlyOne }: { readonly isOnlyOne: boolean },
): Promise<void> {
  const { failingSince } = endpoint;
  if (status !== null && status >= 200 && status < 300) {
    if (failingSince) await updateEndpoint(tx, endpoint, { failingSince: null });
    return;
  }
  if (status === 410) return disable(tx, endpoint, "gone");
  if (isOnlyOne) return;
  if (!failingSince) {
    await updateEndpoint(tx, endpoint, { failingSince: new Date(at) });
    return;
  }
  if (Date.parse(at) - failingSince.getTime() >= maxFailingMs)
    await disable(tx, endpoint, "failing");
}

/**
 * Disables an endpoint, gives up what waits for it, and lets its owner know: by an email, and by an event to the
 * account's other endpoints. Does nothing if it is disabled, or has succeeded meanwhile.
 */
async function disable(
  tx: Queryable,
  { id, accountId }: EndpointRow,
  disabledReason: Exclude<DisabledReason, "owner">,
): Promise<void> {
  const current = await lockEndpoint(tx, { id, accountId });
  if (!current?.enabled) return;
  if (disabledReason === "failing" && !current.failingSince) return;
  const disabledAt = new Date();
  const changes = { enabled: false, disabledAt, disabledReason };
  const mail = { mail: "pending", mailAttempts: 0, mailRetryAt: disabledAt } as const;
  await updateEndpoint(tx, current, { ...changes, ...mail });
  await giveUpDeliveriesOf(tx, id);
  await sendAccountEvent(tx, {
    accountId,
    event: "endpoint.disabled",
    subject: `${id} ${disabledAt.getTime()}`,
    except: id,
    at: disabledAt,
    data: disabledEventData({ ...current, disabledAt, disabledReason }),
  });
  log.warn({ endpoint: id, account: accountId, reason: disabledReason }, "endpoint disabled");
}
