import type { ServerResponse } from "node:http";
import { afterEach, expect, it } from "vitest";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import type { Network } from "#lib/net/network.ts";
import { testNetwork } from "#tests/servers/net.ts";
import {
  enqueueTestEvent,
  insertOverdueDeliveries,
  readDelivery,
  startReceiver,
} from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

let runner: Runner | undefined;

/** The response timeout is longer than the test takes on a machine under load. */
async function start(network: Network): Promise<void> {
  runner = await startWebhookRunner({
    network: { ...network, purpose: "webhooks" },
    responseMs: 60_000,
  });
}

afterEach(async () => {
  await runner?.stop();
  runner = undefined;
});

it("a receiver that hangs delays no delivery to another one, of its account or of others", async () => {
  const hanging: ServerResponse[] = [];
  let isDead = true;
  const dead = await startReceiver((_request, response) => {
    if (isDead) hanging.push(response);
    else response.end();
  });
  const others = await startReceiver((_request, response) => void response.end());
  const owner = await makeAccount();
  const other = await makeAccount();
  // More deliveries than there are slots.
  await insertOverdueDeliveries(420, owner, dead.url);
  await start(testNetwork([dead.host, others.host]));
  await waitUntil(() => hanging.length === 20);
  const enqueue = (_: unknown, index: number) =>
    enqueueTestEvent(index % 2 ? owner : other, others.url);
  await Promise.all(Array.from({ length: 100 }, enqueue));
  await waitUntil(() => others.received.length === 100, 50_000);
  // None of these attempts has ended: the others did not wait for them.
  expect(hanging.filter((response) => !response.destroyed)).toHaveLength(20);
  isDead = false;
  for (const response of hanging) response.end();
});

it("an endpoint that hangs delays neither other paths of its host nor other accounts at the same URL", async () => {
  const hanging: ServerResponse[] = [];
  const shared = await startReceiver(({ url }, response) => {
    if (url === "/hooks/1") hanging.push(response);
    else response.end();
  });
  const one = `${shared.url}hooks/1`;
  const two = `${shared.url}hooks/2`;
  const owner = await makeAccount();
  const other = await makeAccount();
  await insertOverdueDeliveries(40, owner, one);
  await start(testNetwork([shared.host]));
  await waitUntil(() => hanging.length === 20);
  const id = await enqueueTestEvent(owner, two);
  await waitUntil(async () => (await readDelivery(id)).status === "delivered");
  await enqueueTestEvent(other, one);
  await waitUntil(() => hanging.length === 21);
  for (const response of hanging) response.destroy();
});

it("an attempt whose message was lost with its runner is made by the next runner", async () => {
  const receiver = await startReceiver((_request, response) => void response.end());
  const id = await enqueueTestEvent(await makeAccount(), receiver.url);
  await start(testNetwork([receiver.host]));
  await waitUntil(async () => (await readDelivery(id)).status === "delivered");
  expect(receiver.received).toHaveLength(1);
});
