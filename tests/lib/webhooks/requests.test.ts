import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import {
  deleteOldWebhookRequests,
  keepWebhookRequest,
  listWebhookRequests,
} from "#lib/db/queries/webhooks/requests.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { attempt, makeDue, oweTest, startReceiver } from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it("what each attempt sent is kept as it was, for its account alone and for thirty days", async () => {
  const account = await makeAccount();
  const stranger = await makeAccount();
  const { url, host, received } = await startReceiver((_request, response) => {
    response.writeHead(500).end();
  });
  const id = await oweTest(account, url);
  await attempt(id, testNetwork([host]));
  await makeDue(id);
  const { attempts } = await attempt(id, testNetwork([host]));
  const kept = await listWebhookRequests(db(), account.id, id);
  expect(kept.map(({ at }) => at.toISOString())).toEqual(attempts.map(({ at }) => at));
  expect(kept.map(({ body }) => body)).toEqual(received.map(({ body }) => body));
  expect(received[1]?.headers).toMatchObject(kept[1]?.headers ?? {});
  expect(await listWebhookRequests(db(), stranger.id, id)).toEqual([]);

  await db().execute(
    sql`update webhook_requests set at = at - interval '31 days' where at = ${attempts[0]?.at ?? ""}`,
  );
  await deleteOldWebhookRequests(db());
  expect(await listWebhookRequests(db(), account.id, id)).toHaveLength(1);
});

it("a delivery that has gone with its account keeps nothing, and nothing fails", async () => {
  const deliveryId = "whd_gone";
  await keepWebhookRequest(db(), { deliveryId, at: new Date(), headers: {}, body: "{}" });
  const { id } = await makeAccount();
  expect(await listWebhookRequests(db(), id, deliveryId)).toEqual([]);
});
