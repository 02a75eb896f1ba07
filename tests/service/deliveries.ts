import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { eq, sql } from "drizzle-orm";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { type DeliveryRow, webhookDeliveries } from "#lib/db/schema/webhook-deliveries.ts";
import type { Network } from "#lib/net/network.ts";
import { queue } from "#lib/queue/index.ts";
import type { AttemptOptions } from "#lib/webhooks/attempt.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";
import { enqueueDelivery } from "#lib/webhooks/deliveries.ts";
import { httpServer } from "../servers/net.ts";
import type { ReceivedWebhook } from "../servers/webhook-receiver.ts";

/** Webhook deliveries whose attempts a test makes itself, and receivers on loopback. */

export interface Receiver {
  /** The host as `host:port`. */
  readonly host: string;
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
}

/** Starts a receiver that responds with `listener` and stops when the test ends. */
export async function startReceiver(listener: RequestListener): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const host = await httpServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ at: Date.now(), headers, body: await text(request) });
    listener(request, response);
  });
  return { host, url: `http://${host}/`, received };
}

/** Enqueues an event of `account` for `url` that was not sent by hand. Returns the id of its delivery. */
export async function enqueueTestEvent({ id: accountId }: Account, url: string): Promise<string> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction((tx) =>
    enqueueDelivery(tx, opened, { accountId, jobId: null, url, event: "test" }),
  );
  await afterCommit();
  return delivery.id;
}

/** Inserts overdue test events of `account` for `url`, without enqueueing them. */
export async function insertOverdueDeliveries(
  count: number,
  { id }: Account,
  url: string,
): Promise<void> {
  await db().execute(sql`
    insert into webhook_deliveries (id, account_id, url, event, next_attempt_at)
    select 'whd_' || gen_random_uuid(), ${id}, ${url}, 'test', now() - interval '1 minute'
    from generate_series(1, ${count})`);
}

/** Makes the due attempt, with a short response timeout. */
export async function attempt(
  id: string,
  network: Network,
  more: Pick<AttemptOptions, "responseMs"> = {},
): Promise<DeliveryRow> {
  await deliverWebhook(id, async () => ({}), {
    responseMs: 1000,
    ...more,
    network: { ...network, purpose: "webhooks" },
  });
  return readDelivery(id);
}

export async function readDelivery(id: string): Promise<DeliveryRow> {
  const [row] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  if (!row) throw new Error("there is no such delivery");
  return row;
}

/**
 * The seconds from the end of the last attempt until the next one is due; undefined if there is
 * none.
 */
export function secondsUntilNextAttempt({
  nextAttemptAt,
  attempts,
}: DeliveryRow): number | undefined {
  const last = attempts.at(-1);
  if (!nextAttemptAt || !last) return undefined;
  return (nextAttemptAt.getTime() - Date.parse(last.at) - last.durationMs) / 1000;
}

/** Makes the next attempt due now. */
export async function makeAttemptDue(id: string): Promise<void> {
  await db()
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`now()` })
    .where(eq(webhookDeliveries.id, id));
}
