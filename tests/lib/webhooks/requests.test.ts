import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import {
  deleteOldWebhookRequests,
  insertWebhookRequest,
  listWebhookRequests,
} from "#lib/db/queries/webhooks/requests.ts";
import { testNetwork } from "#tests/servers/net.ts";
import {
  attempt,
  enqueueTestEvent,
  makeAttemptDue,
  startReceiver,
} from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it("the request of each attempt is stored unchanged, for 30 days and only for its account", async () => {
  const account = await makeAccount();
  const other = await makeAccount();
  const { url, host, received } = await startReceiver((_request, response) => {
    response.writeHead(500).end();
  });
  const id = await enqueueTestEvent(account, url);
  await attempt(id, testNetwork([host]));
  await makeAttemptDue(id);
  const { attempts } = await attempt(id, testNetwork([host]));
  const stored = await listWebhookRequests(db(), account.id, id);
  expect(stored.map(({ at }) => at.toISOString())).toEqual(attempts.map(({ at }) => at));
  expect(stored.map(({ body }) => body)).toEqual(received.map(({ body }) => body));
  expect(received[1]?.headers).toMatchObject(stored[1]?.headers ?? {});
  expect(await listWebhookRequests(db(), other.id, id)).toEqual([]);

  await db().execute(
    sql`update webhook_requests set at = at - interval '31 days' where at = ${attempts[0]?.at ?? ""}`,
  );
  await deleteOldWebhookRequests(db());
  expect(await listWebhookRequests(db(), account.id, id)).toHaveLength(1);
});

it("the request of a deleted delivery is not stored, and nothing fails", async () => {
  const deliveryId = "whd_gone";
  await insertWebhookRequest(db(), { deliveryId, at: new Date(), headers: {}, body: "{}" });
  const { id } = await makeAccount();
  expect(await listWebhookRequests(db(), id, deliveryId)).toEqual([]);
});
