import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findOwnDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { listReceivedRequests } from "#lib/db/queries/webhooks/received.ts";
import { ensureReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import { sampleTypes } from "#lib/db/schema/event-types.ts";
import { jobSchema } from "#lib/jobs/view/job.ts";
import { createSampleEvent } from "#lib/jobs/view/sample-event.ts";
import { receiveRequest } from "#lib/webhooks/receiver/receive.ts";
import { createReceiverToken, receiverUrl } from "#lib/webhooks/receiver/url.ts";
import { replayDelivery, replayReceived, sendContent } from "#lib/webhooks/replay.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { attempt, enqueueTestEvent, startReceiver } from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";

let account: Account;

beforeAll(async () => {
  account = await makeAccount();
});

const startEndpoint = () =>
  startReceiver((_request, response) => void response.writeHead(200).end());

/** Stores a request as the receiver got it, and returns its id. */
async function receive(headers: Record<string, string>, body: string): Promise<string> {
  const receiver = await ensureReceiver(db(), account.id, createReceiverToken());
  const request = { method: "POST", headers, body: Buffer.from(body) };
  await receiveRequest({ receiver, account }, request);
  return (await listReceivedRequests(db(), account.id))[0]?.id ?? "";
}

const verify = (hook: { body: string; headers: Record<string, string> } | undefined) =>
  new Webhook(account.webhookSecret).verify(hook?.body ?? "", hook?.headers ?? {});

describe("a replay of a received request", () => {
  it("has its body and its webhook-id, and a signature of now", async () => {
    const { url, host, received } = await startEndpoint();
    const body = '{ "type":"job.failed",  "data": {"name": "日本"} }\n';
    const id = await receive({ "webhook-id": "whd_original", "webhook-timestamp": "1" }, body);
    const delivery = await replayReceived(account.id, id, url);
    expect(delivery).toMatchObject({ event: "job.failed", jobId: null });
    expect(await attempt(delivery.id, testNetwork([host]))).toMatchObject({ status: "delivered" });
    const [hook] = received;
    expect(hook?.body).toBe(body);
    expect(hook?.headers).toMatchObject({
      "webhook-id": "whd_original",
      "content-type": "application/json",
    });
    expect(verify(hook)).toMatchObject({ type: "job.failed" });
  });

  it("has an id of its own if the request's could shift what is signed", async () => {
    const { url, host, received } = await startEndpoint();
    const headers = { "webhook-id": "whd_1.1795400000.{}", "content-type": "text/plain" };
    const delivery = await replayReceived(account.id, await receive(headers, "hello"), url);
    await attempt(delivery.id, testNetwork([host]));
    expect(delivery.event).toBe("test");
    expect(received[0]?.headers).toMatchObject({
      "webhook-id": delivery.id,
      "content-type": "text/plain",
    });
  });

  it("is rejected without its whole body, and for other accounts", async () => {
    const large = await receive({}, "x".repeat(65_537));
    const whole = await receive({}, "x".repeat(65_536));
    const send = (owner: Account, id: string) =>
      replayReceived(owner.id, id, "https://example.com/");
    await expect(send(account, large)).rejects.toMatchObject({ code: "conflict" });
    await expect(send(account, whole)).resolves.toMatchObject({ status: "pending" });
    await expect(send(await makeAccount(), whole)).rejects.toMatchObject({ code: "not_found" });
  });
});

it("a replay of a delivery sends its last request again as a new delivery", async () => {
  const first = await startEndpoint();
  const second = await startEndpoint();
  const id = await enqueueTestEvent(account, first.url);
  const original = await findOwnDelivery(db(), account.id, id);
  if (!original) throw new Error("there is no delivery");
  await expect(replayDelivery(original, second.url)).rejects.toMatchObject({ code: "not_found" });
  await attempt(id, testNetwork([first.host]));
  const replayed = await replayDelivery(original, second.url);
  expect(replayed.id).not.toBe(id);
  await attempt(replayed.id, testNetwork([second.host]));
  expect(second.received[0]?.body).toBe(first.received[0]?.body);
  expect(second.received[0]?.headers["webhook-id"]).toBe(id);
  expect(verify(second.received[0])).toMatchObject({ type: "test" });
});

it("a replay to an address that is not allowed does not call it", async () => {
  const { url, received } = await startEndpoint();
  const delivery = await replayReceived(account.id, await receive({}, "hello"), url);
  const { attempts } = await attempt(delivery.id, testNetwork([]));
  expect(attempts[0]).toMatchObject({ status: null, response: /not allowed/ });
  expect(received).toEqual([]);
});

it.each(sampleTypes)("the sample of %s verifies", async (type) => {
  const event = createSampleEvent(type);
  const statuses: Record<string, string> = {
    created: "pending",
    started: "processing",
    progress: "processing",
  };
  const [kind, change = ""] = type.split(".");
  if (kind === "job") expect(jobSchema.parse(event.data).status).toBe(statuses[change] ?? change);
  const receiver = await ensureReceiver(db(), account.id, createReceiverToken());
  const { id } = await sendContent(account.id, receiverUrl(receiver.token), type, {
    webhookId: null,
    contentType: "application/json",
    body: JSON.stringify(event),
  });
  expect(await attempt(id, testNetwork([]))).toMatchObject({ status: "delivered", event: type });
  const [newest] = await listReceivedRequests(db(), account.id);
  expect(newest).toMatchObject({ event: type, signatureFault: null, deliveryId: id });
});
