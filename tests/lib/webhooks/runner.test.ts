import type { ServerResponse } from "node:http";
import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import type { Network } from "#lib/net/network.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { oweMany, oweTest, readDelivery, startReceiver } from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

let runner: Runner | undefined;

/** With more patience for answers than a busy machine needs for the test. */
async function start(network: Network): Promise<void> {
  runner = await startWebhookRunner({ network, answerMs: 60_000 });
}

afterEach(async () => {
  await runner?.stop();
  runner = undefined;
});

it("one receiver that hangs delays none of a hundred others, its account's own among them", async () => {
  const hanging: ServerResponse[] = [];
  let isDead = true;
  const dead = await startReceiver((_request, response) => {
    if (isDead) hanging.push(response);
    else response.end();
  });
  const others = await startReceiver((_request, response) => void response.end());
  const [owner, stranger] = [await makeAccount(), await makeAccount()];
  // More than there are places for in all.
  await oweMany(420, owner, dead.url);
  await start(testNetwork([dead.host, others.host], {}, { headersMs: 60_000 }));
  await waitUntil(() => hanging.length === 20);
  const owe = (_: unknown, index: number) => oweTest(index % 2 ? owner : stranger, others.url);
  await Promise.all(Array.from({ length: 100 }, owe));
  await waitUntil(() => others.received.length === 100, 50_000);
  // None of those has been given up yet: nobody waited for that.
  expect(hanging.filter((response) => !response.destroyed)).toHaveLength(20);
  isDead = false;
  for (const response of hanging) response.end();
});

it("an attempt that was lost with its runner is made by the next one", async () => {
  const receiver = await startReceiver((_request, response) => void response.end());
  const id = await oweTest(await makeAccount(), receiver.url);
  // Its ticket is gone: whoever took it has vanished.
  await db().execute(sql`delete from queue.job`);
  await start(testNetwork([receiver.host]));
  await waitUntil(async () => (await readDelivery(id)).status === "delivered");
  expect(receiver.received).toHaveLength(1);
});
