import type { RequestListener } from "node:http";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { updateEndpoint } from "#lib/db/queries/webhooks/endpoints.ts";
import { type DeliveryRow, webhookDeliveries } from "#lib/db/schema/webhook-deliveries.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";
import { sendAccountEvent } from "#lib/webhooks/endpoints/account-event.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointSettings,
  type EndpointWithSecret,
  readEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
} from "#lib/webhooks/manage-endpoints.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { attempt, makeAttemptDue, readDelivery, startReceiver } from "#tests/service/deliveries.ts";
import { acceptJob, makeAccount } from "#tests/service/jobs.ts";

/** What endpoints get, and what follows from their answers. */

let account: Account;
let subjects = 0;

beforeEach(async () => {
  account = await makeAccount();
});

const respond =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end("body");

async function subscribe(
  status: number,
  events: EndpointSettings["events"] = ["upload.completed"],
) {
  const receiver = await startReceiver(respond(status));
  const settings = { url: receiver.url, events, description: "Orders" };
  const { endpoint, secret } = await createEndpoint(account.id, settings);
  return { ...receiver, id: endpoint.id, secret };
}

type Subscribed = Awaited<ReturnType<typeof subscribe>>;

const deliveriesTo = ({ id }: Pick<Subscribed, "id">): Promise<DeliveryRow[]> =>
  db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, id))
    .orderBy(webhookDeliveries.createdAt);

/** Writes an event, makes its attempt at the endpoint, and returns the delivery. */
async function send(endpoint: Subscribed): Promise<DeliveryRow> {
  const subject = `upload_${++subjects}`;
  await sendAccountEvent(db(), {
    accountId: account.id,
    event: "upload.completed",
    subject,
    data: { id: subject },
  });
  const [delivery] = (await deliveriesTo(endpoint)).filter(
    ({ attempts, status }) => attempts.length === 0 && status === "pending",
  );
  if (!delivery) throw new Error("no delivery was written");
  return attempt(delivery.id, testNetwork([endpoint.host]));
}

const failingFor = (endpoint: Subscribed, days: number) =>
  updateEndpoint(
    db(),
    { accountId: account.id, id: endpoint.id },
    { failingSince: new Date(Date.now() - days * 86_400_000) },
  );

const verify = (secret: string, hook: Subscribed["received"][number] | undefined) =>
  new Webhook(secret).verify(hook?.body ?? "", hook?.headers ?? {});

it("an endpoint gets an event under the delivery's id, signed with its own secret", async () => {
  const endpoint = await subscribe(200);
  const delivery = await send(endpoint);
  expect(delivery).toMatchObject({ status: "delivered", event: "upload.completed" });
  const [hook] = endpoint.received;
  expect(hook?.headers["webhook-id"]).toBe(delivery.id);
  expect(verify(endpoint.secret, hook)).toMatchObject({
    type: "upload.completed",
    data: { id: `upload_${subjects}` },
  });
  expect(() => verify(account.webhookSecret, hook)).toThrow();
});

it("after a rotation both secrets sign, an older one does not", async () => {
  const endpoint = await subscribe(200);
  const rotate = (): Promise<EndpointWithSecret> => rotateEndpointSecret(account.id, endpoint.id);
  const second = await rotate();
  await send(endpoint);
  for (const secret of [endpoint.secret, second.secret]) verify(secret, endpoint.received[0]);
  const third = await rotate();
  await send(endpoint);
  for (const secret of [second.secret, third.secret]) verify(secret, endpoint.received[1]);
  expect(() => verify(endpoint.secret, endpoint.received[1])).toThrow();
  const past = { previousSecretExpiresAt: new Date(Date.now() - 1) };
  await updateEndpoint(db(), { accountId: account.id, id: endpoint.id }, past);
  await send(endpoint);
  expect(() => verify(second.secret, endpoint.received[2])).toThrow();
  verify(third.secret, endpoint.received[2]);
});

describe("an endpoint that answers 410", () => {
  it("is disabled at once, and what waits for it is given up", async () => {
    const endpoint = await subscribe(410);
    const watcher = await subscribe(200, ["endpoint.disabled"]);
    await sendAccountEvent(db(), {
      accountId: account.id,
      event: "upload.completed",
      subject: "upload_waiting",
      data: {},
    });
    const [waiting] = await deliveriesTo(endpoint);
    await db()
      .update(webhookDeliveries)
      .set({ nextAttemptAt: new Date(Date.now() + 60_000) })
      .where(eq(webhookDeliveries.id, waiting?.id ?? ""));
    const { id } = await testEndpoint(account.id, endpoint.id);
    expect(await attempt(id, testNetwork([endpoint.host]))).toMatchObject({ status: "failed" });
    const disabled = await readEndpoint(account.id, endpoint.id);
    expect(disabled).toMatchObject({ enabled: false, disabledReason: "gone", mail: "pending" });
    expect(await readDelivery(waiting?.id ?? "")).toMatchObject({
      status: "failed",
      nextAttemptAt: null,
      attempts: [],
    });
    const [event] = await deliveriesTo(watcher);
    await attempt(event?.id ?? "", testNetwork([watcher.host]));
    expect(verify(watcher.secret, watcher.received[0])).toMatchObject({
      type: "endpoint.disabled",
      data: { id: endpoint.id, url: endpoint.url, reason: "gone", description: "Orders" },
    });
    expect((await deliveriesTo(endpoint)).map(({ event: type }) => type)).not.toContain(
      "endpoint.disabled",
    );
  });
});

describe("an endpoint that fails", () => {
  it("counts from its first failure, and a success resets it", async () => {
    const endpoint = await subscribe(500);
    await send(endpoint);
    const { failingSince } = await readEndpoint(account.id, endpoint.id);
    expect(Date.now() - (failingSince?.getTime() ?? 0)).toBeLessThan(30_000);
    await send(endpoint);
    expect((await readEndpoint(account.id, endpoint.id)).failingSince).toEqual(failingSince);
    const working = await startReceiver(respond(204));
    await changeEndpoint(account.id, endpoint.id, { url: working.url });
    await failingFor(endpoint, 6);
    const [first] = await deliveriesTo(endpoint);
    // What waited goes to the new URL.
    expect(first?.url).toBe(working.url);
    await makeAttemptDue(first?.id ?? "");
    expect(await attempt(first?.id ?? "", testNetwork([working.host]))).toMatchObject({
      status: "delivered",
    });
    expect(await readEndpoint(account.id, endpoint.id)).toMatchObject({
      enabled: true,
      failingSince: null,
    });
  });

  it("is enabled before five days, and disabled after them", async () => {
    const endpoint = await subscribe(500);
    await failingFor(endpoint, 4.99);
    await send(endpoint);
    expect((await readEndpoint(account.id, endpoint.id)).enabled).toBe(true);
    await failingFor(endpoint, 5.01);
    expect(await send(endpoint)).toMatchObject({ status: "failed", nextAttemptAt: null });
    expect(await readEndpoint(account.id, endpoint.id)).toMatchObject({
      enabled: false,
      disabledReason: "failing",
    });
    const statuses = (await deliveriesTo(endpoint)).map(({ status }) => status);
    expect(statuses).toEqual(["failed", "failed"]);
  });

  it("does not count a test, which is not retried, but a success of one", async () => {
    const endpoint = await subscribe(500);
    const test = async (host: string) => {
      const { id } = await testEndpoint(account.id, endpoint.id);
      return attempt(id, testNetwork([host]));
    };
    expect(await test(endpoint.host)).toMatchObject({ status: "failed", nextAttemptAt: null });
    expect((await readEndpoint(account.id, endpoint.id)).failingSince).toBeNull();
    await failingFor(endpoint, 6);
    await test(endpoint.host);
    expect((await readEndpoint(account.id, endpoint.id)).enabled).toBe(true);
    const working = await startReceiver(respond(204));
    await changeEndpoint(account.id, endpoint.id, { url: working.url });
    await failingFor(endpoint, 6);
    await test(working.host);
    expect((await readEndpoint(account.id, endpoint.id)).failingSince).toBeNull();
  });

  it("is disabled once by attempts at the same time: one event, one email", async () => {
    const endpoint = await subscribe(500);
    const watcher = await subscribe(200, ["endpoint.disabled"]);
    await failingFor(endpoint, 6);
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) {
      await sendAccountEvent(db(), {
        accountId: account.id,
        event: "upload.completed",
        subject: `upload_together_${count}`,
        data: {},
      });
    }
    for (const { id } of await deliveriesTo(endpoint)) ids.push(id);
    await Promise.all(ids.map((id) => attempt(id, testNetwork([endpoint.host]))));
    expect((await readEndpoint(account.id, endpoint.id)).enabled).toBe(false);
    expect(await deliveriesTo(watcher)).toHaveLength(1);
    const left = (await deliveriesTo(endpoint)).filter(({ status }) => status !== "failed");
    expect(left).toEqual([]);
  });

  it("counts as one that has never failed when it is enabled again", async () => {
    const endpoint = await subscribe(410);
    await send(endpoint);
    await changeEndpoint(account.id, endpoint.id, { enabled: true });
    expect(await readEndpoint(account.id, endpoint.id)).toMatchObject({
      enabled: true,
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
      mail: "none",
    });
  });
});

describe("what waits for an endpoint", () => {
  const write = () =>
    sendAccountEvent(db(), {
      accountId: account.id,
      event: "upload.completed",
      subject: `upload_${++subjects}`,
      data: {},
    });

  it("is given up when the endpoint is deleted, and stays listed", async () => {
    const endpoint = await subscribe(200);
    await write();
    await removeEndpoint(account.id, endpoint.id);
    const [delivery] = await deliveriesTo(endpoint);
    expect(delivery).toMatchObject({ status: "failed", nextAttemptAt: null });
    await expect(resendDelivery(account.id, delivery?.id ?? "")).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is not sent if it was written while the endpoint was disabled or deleted", async () => {
    const endpoint = await subscribe(200);
    for (const end of [
      () => changeEndpoint(account.id, endpoint.id, { enabled: false }),
      () => removeEndpoint(account.id, endpoint.id),
    ]) {
      await changeEndpoint(account.id, endpoint.id, { enabled: true });
      await write();
      const row = (await deliveriesTo(endpoint)).find(({ status }) => status === "pending");
      await end();
      // As a statement that had not seen the change wrote it.
      await db()
        .update(webhookDeliveries)
        .set({ status: "pending", nextAttemptAt: new Date() })
        .where(eq(webhookDeliveries.id, row?.id ?? ""));
      const after = await attempt(row?.id ?? "", testNetwork([endpoint.host]));
      expect(after).toMatchObject({ status: "failed", nextAttemptAt: null, attempts: [] });
    }
    expect(endpoint.received).toEqual([]);
  });

  it("can be sent again to the present URL of a disabled endpoint, and is retried", async () => {
    const endpoint = await subscribe(200);
    await write();
    await changeEndpoint(account.id, endpoint.id, { enabled: false });
    const failing = await startReceiver(respond(500));
    await changeEndpoint(account.id, endpoint.id, { url: failing.url });
    const [delivery] = await deliveriesTo(endpoint);
    const resent = await resendDelivery(account.id, delivery?.id ?? "");
    expect(resent?.url).toBe(failing.url);
    const after = await attempt(delivery?.id ?? "", testNetwork([failing.host]));
    expect(after).toMatchObject({ status: "pending", attempts: [{ status: 500 }] });
  });

  it("progress has one attempt, and none once its job has ended", async () => {
    const endpoint = await subscribe(500, ["job.progress"]);
    const { id: jobId } = await acceptJob(account);
    const insert = (id: string) =>
      db().insert(webhookDeliveries).values({
        id,
        accountId: account.id,
        jobId,
        endpointId: endpoint.id,
        url: endpoint.url,
        event: "job.progress",
      });
    await insert("whd_progress1");
    expect(await attempt("whd_progress1", testNetwork([endpoint.host]))).toMatchObject({
      status: "failed",
      nextAttemptAt: null,
    });
    await insert("whd_progress2");
    await cancelJob(account.id, jobId);
    await expect(attempt("whd_progress2", testNetwork([endpoint.host]))).rejects.toThrow(
      "no such delivery",
    );
    expect(endpoint.received).toHaveLength(1);
  });
});
