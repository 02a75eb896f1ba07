import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { admin, type Client, createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

let client: Client;
let secret = "";
let hooks = 0;

beforeAll(async () => {
  const made = await createClient();
  client = made;
  secret = (await admin("webhook-secret", "--email", made.email)).secret ?? "";
});

/** A receiver that returns the given statuses in turn, and then repeats the last one. */
const receiver = (...statuses: number[]) =>
  `${inject("host").url}/hook/${process.pid}-${++hooks}/${statuses.join("-")}`;

async function readReceived(url: string): Promise<ReceivedWebhook[]> {
  return (await (await fetch(url)).json()) as ReceivedWebhook[];
}

async function runWith(url: string): Promise<Job> {
  const file = { bytes: "hello", filename: "a.txt" };
  return client.run("pipeline/file-inspect", file, { webhook_url: url, metadata: '{"order":"7"}' });
}

interface Delivery {
  id: string;
  status: string;
  attempts: { at: string; status: number | null; duration_ms: number; response: string }[];
  next_attempt_at: string | null;
}

async function waitForDelivery(
  job: Job,
  isSettled = (one: Delivery) => one.status !== "pending",
): Promise<Delivery> {
  let found: Delivery | undefined;
  await until(async () => {
    const response = await client.request(`/v1/webhooks/deliveries?job=${job.id}`);
    found = ((await response.json()) as { deliveries: Delivery[] }).deliveries[0];
    return found !== undefined && isSettled(found);
  }, 20_000);
  if (!found) throw new Error("no delivery");
  return found;
}

describe("a job's end", () => {
  it("is reported once with the job, signed according to Standard Webhooks", async () => {
    const url = receiver(204);
    const job = await runWith(url);
    const delivery = await waitForDelivery(job);
    const [hook, ...more] = await readReceived(url);
    expect(more).toEqual([]);
    expect(delivery).toMatchObject({ status: "delivered", attempts: [{ status: 204 }] });
    expect(hook?.headers["webhook-id"]).toBe(delivery.id);
    const event = new Webhook(secret).verify(hook?.body ?? "", hook?.headers ?? {}) as {
      type: string;
      data: Job;
    };
    expect(event.type).toBe("job.completed");
    expect(event.data).toMatchObject({ id: job.id, status: "completed", metadata: { order: "7" } });
    expect((await fetch(event.data.outputs[0]?.url ?? "")).status).toBe(200);
  });

  it("is reported again after 5 s with the same id if the receiver failed", async () => {
    const url = receiver(500, 200);
    const delivery = await waitForDelivery(await runWith(url));
    const [first, second] = await readReceived(url);
    expect(delivery.attempts.map((attempt) => attempt.status)).toEqual([500, 200]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4800);
  });

  it("is not reported again after 410, and a redirect is a failure", async () => {
    const gone = await waitForDelivery(await runWith(receiver(410)));
    expect(gone).toMatchObject({
      status: "failed",
      attempts: [{ status: 410 }],
      next_attempt_at: null,
    });
    const url = receiver(301);
    const moved = await waitForDelivery(await runWith(url), (one) => one.attempts.length > 0);
    expect(moved).toMatchObject({ status: "pending", next_attempt_at: expect.any(String) });
    expect(await readReceived(url)).toHaveLength(1);
  });

  it("is not sent to a name without an address, and the attempt reports why", async () => {
    const delivery = await waitForDelivery(
      await runWith("http://receiver.invalid/"),
      (one) => one.attempts.length > 0,
    );
    expect(delivery.attempts[0]).toMatchObject({
      status: null,
      response: expect.stringMatching(/\.$/),
    });
  });

  it("can be sent again only by its account", async () => {
    const url = receiver(200);
    const job = await runWith(url);
    const { id } = await waitForDelivery(job);
    const otherAccount = await createClient();
    const path = `/v1/webhooks/deliveries/${id}/resend`;
    expect((await otherAccount.request(path, { method: "POST" })).status).toBe(404);
    expect((await client.request(path, { method: "POST" })).status).toBe(202);
    await until(async () => (await readReceived(url)).length === 2, 30_000);
    const ids = (await readReceived(url)).map((hook) => hook.headers["webhook-id"]);
    expect(ids).toEqual([id, id]);
  });
});

it("a test event reaches the given URL", async () => {
  const url = receiver(200);
  expect((await client.postJson("/v1/webhooks/test", { url })).status).toBe(202);
  await until(async () => (await readReceived(url)).length === 1, 30_000);
  const [hook] = await readReceived(url);
  expect(new Webhook(secret).verify(hook?.body ?? "", hook?.headers ?? {})).toMatchObject({
    type: "test",
  });
  expect((await client.postJson("/v1/webhooks/test", { url: "nothing" })).status).toBe(400);
});

it("a test event has one attempt", async () => {
  const response = await client.postJson("/v1/webhooks/test", { url: receiver(500) });
  const { id } = (await response.json()) as Delivery;
  const readDelivery = async () => {
    const list = await client.request("/v1/webhooks/deliveries?limit=100");
    const { deliveries } = (await list.json()) as { deliveries: Delivery[] };
    return deliveries.find((one) => one.id === id);
  };
  await until(async () => (await readDelivery())?.status !== "pending", 30_000);
  const attempts = [expect.objectContaining({ status: 500 })];
  expect(await readDelivery()).toMatchObject({ status: "failed", attempts });
});

it("an account sends 20 webhooks by hand at once, of all kinds; those of its jobs are not limited", async () => {
  const sender = await createClient();
  const url = receiver(200);
  const send = () => sender.postJson("/v1/webhooks/test", { url });
  const sent = await Promise.all(Array.from({ length: 20 }, send));
  expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(202));
  const list = await sender.request("/v1/webhooks/deliveries?limit=1");
  const { deliveries } = (await list.json()) as { deliveries: Delivery[] };
  const id = deliveries[0]?.id;
  const resend = () => sender.request(`/v1/webhooks/deliveries/${id}/resend`, { method: "POST" });
  let accepted = sent.length;
  // On a slow machine, ten seconds may have passed, which allow another one.
  const sendUntilRejected = async (one: () => Promise<Response>) => {
    for (; accepted < 2 * sent.length; accepted++) {
      const response = await one();
      if (!response.ok) return response;
    }
    throw new Error("no webhook was rejected");
  };
  for (const one of [send, resend]) {
    const rejected = await sendUntilRejected(one);
    const wait = Number(rejected.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(10);
    expect(await expectError(rejected, "rate_limited")).toContain("one every 10 seconds");
  }
  await until(async () => (await readReceived(url)).length === accepted, 30_000);
  const file = { bytes: "hello", filename: "a.txt" };
  await sender.run("pipeline/file-inspect", file, { webhook_url: url });
  await until(async () => (await readReceived(url)).length === accepted + 1, 30_000);
});

it("a test receiver that does not exist takes nothing", async () => {
  const url = `${inject("service").url}/hooks/${"a".repeat(32)}`;
  await expectError(await fetch(url, { method: "POST", body: "hello" }), "not_found");
  await expectError(await fetch(url), "method_not_allowed");
  const response = await client.postJson("/v1/webhooks/test", { url });
  expect(await expectError(response, "invalid_parameter")).toContain("your own test receiver");
});

it("a receiver that hangs does not delay other deliveries", async () => {
  const hang = `${inject("host").url}/hang`;
  const hanging = await Promise.all(Array.from({ length: 10 }, () => runWith(hang)));
  const url = receiver(200);
  await runWith(url);
  await until(async () => (await readReceived(url)).length === 1, 20_000);
  const [received] = await readReceived(url);
  const deliveries = await Promise.all(hanging.map((job) => waitForDelivery(job, () => true)));
  // It did not wait for all attempts that hang, of which each takes 15 seconds.
  const endsLater = ({ attempts: [attempt] }: Delivery) =>
    !attempt || Date.parse(attempt.at) + attempt.duration_ms > (received?.at ?? 0);
  expect(deliveries.filter(endsLater)).not.toEqual([]);
});
