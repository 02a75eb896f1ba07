import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { eq, sql } from "drizzle-orm";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { type DeliveryRow, webhookDeliveries } from "#lib/db/schema/webhook-deliveries.ts";
import type { Network } from "#lib/net/network.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { httpServer } from "../servers/net.ts";
import type { ReceivedWebhook } from "../servers/webhook-receiver.ts";

/** Webhooks that are owed and attempted by hand, and receivers of them on loopback. */

export interface Receiver {
  /** `host:port`. */
  readonly host: string;
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
}

/** A receiver that ends with the test; what it answers is up to `answer`. */
export async function startReceiver(answer: RequestListener): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const host = await httpServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ at: Date.now(), headers, body: await text(request) });
    answer(request, response);
  });
  return { host, url: `http://${host}/`, received };
}

/** Owes `account` a test event at `url`; nobody delivers it but the test. */
export async function enqueueTestEvent({ id }: Account, url: string): Promise<string> {
  return (await createTestDelivery(id, url)).id;
}

/** Owes `account` test events at `url` that are overdue, all in one statement and without tickets. */
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

/** Makes the attempt that is due, with short patience. */
export async function attempt(
  id: string,
  network: Network,
  more: { readonly answerMs?: number } = {},
): Promise<DeliveryRow> {
  await deliverWebhook(id, async () => ({}), { responseMs: 1000, ...more, network });
  return readDelivery(id);
}

export async function readDelivery(id: string): Promise<DeliveryRow> {
  const [row] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  if (!row) throw new Error("there is no such delivery");
  return row;
}

/** Seconds from the end of the last attempt until the next is due; undefined where there is none. */
export function waitOf({ nextAttemptAt, attempts }: DeliveryRow): number | undefined {
  const last = attempts.at(-1);
  if (!nextAttemptAt || !last) return undefined;
  return (nextAttemptAt.getTime() - Date.parse(last.at) - last.durationMs) / 1000;
}

/** The time of the next attempt has come. */
export async function makeDue(id: string): Promise<void> {
  await db()
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`now()` })
    .where(eq(webhookDeliveries.id, id));
}
