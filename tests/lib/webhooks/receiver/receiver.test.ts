import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { parseWebhookUrl } from "#lib/api/http/url-field.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { deleteClosedAccount } from "#lib/db/queries/accounts/deletion.ts";
import {
  deleteOldReceivedRequests,
  findReceivedRequest,
  listReceivedRequests,
} from "#lib/db/queries/webhooks/received.ts";
import { ensureReceiver, updateReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import type { ReceivedRequest } from "#lib/db/schema/receiver/received-requests.ts";
import { env } from "#lib/env.ts";
import { redactPath } from "#lib/net/redact-url.ts";
import { receiveRequest } from "#lib/webhooks/receiver/receive.ts";
import { createReceiverToken, receiverTokenOf, receiverUrl } from "#lib/webhooks/receiver/url.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { attempt, enqueueTestEvent, secondsUntilNextAttempt } from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** No host at all may be called. */
const closedNetwork = testNetwork([], { resolve: async () => ["127.0.0.1"] });

let account: Account;
let url = "";

beforeAll(async () => {
  account = await makeAccount();
  url = await openReceiver(account);
});

async function openReceiver({ id }: Account): Promise<string> {
  return receiverUrl((await ensureReceiver(db(), id, createReceiverToken())).token);
}

async function newest({ id }: Account): Promise<ReceivedRequest> {
  const [summary] = await listReceivedRequests(db(), id);
  const found = summary && (await findReceivedRequest(db(), id, summary.id));
  if (!found) throw new Error("nothing was received");
  return found;
}

describe("a webhook to the account's own receiver", () => {
  it("is delivered although the service's own address is private, and verifies", async () => {
    expect(await parseWebhookUrl("webhook_url", url, account.id)).toBe(new URL(url).href);
    const id = await enqueueTestEvent(account, url);
    const { status, attempts } = await attempt(id, closedNetwork);
    expect([status, attempts[0]?.status]).toEqual(["delivered", 200]);
    const received = await newest(account);
    expect(received).toMatchObject({
      method: "POST",
      event: "test",
      signatureFault: null,
      isExact: true,
      deliveryId: id,
      isLate: false,
      headers: { "webhook-id": id, "content-type": "application/json" },
    });
    expect(JSON.parse(received.body)).toMatchObject({ type: "test", data: {} });
  });

  it.each([
    { responseStatus: 204, outcome: "delivered", wait: undefined },
    { responseStatus: 500, outcome: "pending", wait: 5 },
    { responseStatus: 429, outcome: "pending", wait: 15 },
    { responseStatus: 410, outcome: "failed", wait: undefined },
  ])("gets the chosen status $responseStatus", async ({ responseStatus, outcome, wait }) => {
    const owner = await makeAccount();
    const own = await openReceiver(owner);
    await updateReceiver(db(), owner.id, { responseStatus });
    const delivery = await attempt(await enqueueTestEvent(owner, own), closedNetwork);
    expect(delivery).toMatchObject({ status: outcome, lastStatus: responseStatus });
    const seconds = secondsUntilNextAttempt(delivery);
    if (wait === undefined) expect(seconds).toBeUndefined();
    else expect(seconds).toBeGreaterThan(wait - 0.1);
  });

  it("times out if the receiver waits longer than a webhook may", async () => {
    const owner = await makeAccount();
    const own = await openReceiver(owner);
    await updateReceiver(db(), owner.id, { delaySeconds: 20 });
    const id = await enqueueTestEvent(owner, own);
    const { attempts, status } = await attempt(id, closedNetwork, { responseMs: 50 });
    expect(attempts[0]).toMatchObject({ status: null, response: /too long/ });
    expect(status).toBe("pending");
    expect(await newest(owner)).toMatchObject({ deliveryId: id, isLate: true });
  });
});

describe("nothing else is exempt from the guard", () => {
  const variants: readonly [string, (own: string) => string][] = [
    ["another path", (own) => `${own}/x`],
    ["a path above", (own) => own.replace(/\/hooks\/.*/, "/v1/jobs")],
    ["a query", (own) => `${own}?a=1`],
    ["a fragment", (own) => `${own}#a`],
    ["an encoded path", (own) => own.replace("/hooks/", "/h%6foks/")],
    ["a path with dots", (own) => own.replace("/hooks/", "/hooks/../hooks/..%2f")],
    ["another port", (own) => own.replace(/:\d+\//, ":1/")],
    ["another host", (own) => own.replace(/\/\/[^/:]+/, "//127.0.0.2")],
    ["a host with a dot", (own) => own.replace(/\/\/([^/:]+)/, "//$1.")],
    ["another scheme", (own) => own.replace("http:", "https:")],
  ];

  it.each(variants)("%s", async (_name, change) => {
    const changed = new URL(change(url)).href;
    expect(receiverTokenOf(changed)).toBeUndefined();
    await expect(parseWebhookUrl("url", changed, account.id)).rejects.toThrow("`url` must");
    const delivery = await attempt(await enqueueTestEvent(account, changed), closedNetwork);
    expect(delivery.attempts[0]?.status).toBeNull();
  });

  it("the receiver of another account, and a URL that was replaced", async () => {
    const other = await makeAccount();
    const own = await openReceiver(other);
    await expect(parseWebhookUrl("url", own, account.id)).rejects.toThrow("your own test receiver");
    const id = await enqueueTestEvent(other, own);
    await updateReceiver(db(), other.id, { token: createReceiverToken() });
    const { status, attempts } = await attempt(id, closedNetwork);
    expect(status).toBe("failed");
    expect(attempts[0]?.response).toContain("was replaced");
    expect(await listReceivedRequests(db(), other.id)).toEqual([]);
  });
});

describe("received requests", () => {
  it("are plain text without credentials, and their number, size and rate are limited", async () => {
    const owner = await makeAccount();
    const receiver = await ensureReceiver(db(), owner.id, createReceiverToken());
    const send = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
      receiveRequest(
        { receiver, account: owner },
        { method: "PUT", headers, body: Buffer.from(body), address: "192.0.2.1" },
      );
    await send(Buffer.alloc(100_000, "a\0"), { cookie: "session=1", "x-api-key": "mm_live_1" });
    const large = await newest(owner);
    expect(large).toMatchObject({ sizeBytes: 100_000, isExact: false, event: null, method: "PUT" });
    expect(large.body).toHaveLength(65_536);
    expect(large.body).not.toContain("\0");
    expect(large.headers).toEqual({ cookie: "***", "x-api-key": "***" });
    expect(large.signatureFault).toContain("not signed");
    const flood = Array.from({ length: 150 }, () => send("x"));
    const failures = (await Promise.allSettled(flood)).filter(
      ({ status }) => status === "rejected",
    );
    expect(failures[0]).toMatchObject({ reason: { code: "rate_limited" } });
    const kept = await listReceivedRequests(db(), owner.id);
    expect(kept).toHaveLength(100);
    expect(kept.map(({ id }) => id)).not.toContain(large.id);

    expect(await findReceivedRequest(db(), account.id, kept[0]?.id ?? "")).toBeUndefined();
    await db().execute(
      sql`update received_requests set at = now() - interval '8 days' where id = ${kept[0]?.id}`,
    );
    await deleteOldReceivedRequests(db());
    const left = (await listReceivedRequests(db(), owner.id)).map(({ id }) => id);
    expect(left).not.toContain(kept[0]?.id);

    await db().execute(sql`update accounts set deleted_at = now() where id = ${owner.id}`);
    await deleteClosedAccount(db(), owner.id);
    expect(await listReceivedRequests(db(), owner.id)).toEqual([]);
  });
});

it("logs do not have the token", () => {
  const { pathname } = new URL(url);
  expect(redactPath(pathname)).toBe("/hooks/***");
  expect(redactPath("/v1/jobs")).toBe("/v1/jobs");
  expect(url.startsWith(`${env.APP_URL}/hooks/`)).toBe(true);
});
