import type { RequestListener, ServerResponse } from "node:http";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { type Account, findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { claimAttempt } from "#lib/db/queries/webhooks/deliveries.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";
import { rotateWebhookSecret } from "#lib/webhooks/secret.ts";
import { blockedUrls } from "#tests/hostile/requests/bad-urls.ts";
import { testNetwork } from "#tests/servers/net.ts";
import {
  attempt,
  enqueueTestEvent,
  makeAttemptDue,
  readDelivery,
  secondsUntilNextAttempt,
  startReceiver,
} from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

let account: Account;

beforeAll(async () => {
  account = await makeAccount();
});

const day = 86_400;
/** Seconds that a machine under load may take to record an attempt. */
const slack = 5;
const firstWait = [5, 5.5] as const;
const respond =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end("body");

interface Row {
  readonly name: string;
  readonly listener: RequestListener;
  readonly status: "delivered" | "failed" | "pending";
  /** The seconds until the next attempt, minimum and maximum. */
  readonly wait?: readonly [number, number];
  /** Status of the attempt; null if there was no response. */
  readonly responseStatus: number | null;
}

const rows: readonly Row[] = [
  { name: "200", listener: respond(200), status: "delivered", responseStatus: 200 },
  { name: "299", listener: respond(299), status: "delivered", responseStatus: 299 },
  {
    name: "301",
    listener: respond(301, { location: "/" }),
    status: "pending",
    wait: firstWait,
    responseStatus: 301,
  },
  {
    name: "307",
    listener: respond(307, { location: "/" }),
    status: "pending",
    wait: firstWait,
    responseStatus: 307,
  },
  { name: "404", listener: respond(404), status: "pending", wait: firstWait, responseStatus: 404 },
  { name: "410", listener: respond(410), status: "failed", responseStatus: 410 },
  { name: "500", listener: respond(500), status: "pending", wait: firstWait, responseStatus: 500 },
  {
    name: "Retry-After of a minute",
    listener: respond(429, { "retry-after": "60" }),
    status: "pending",
    wait: [60, 60],
    responseStatus: 429,
  },
  {
    name: "Retry-After as a date",
    listener: (_request, response) =>
      void response
        .writeHead(503, { "retry-after": new Date(Date.now() + 120_000).toUTCString() })
        .end(),
    status: "pending",
    // A date has whole seconds and was computed before the end of the attempt.
    wait: [118, 120],
    responseStatus: 503,
  },
  {
    name: "Retry-After of ten years",
    listener: respond(503, { "retry-after": `${3650 * day}` }),
    status: "pending",
    wait: [day, day],
    responseStatus: 503,
  },
  ...["-1", "soon", "1e9", "0x10", "", "NaN"].map((text) => ({
    name: `Retry-After: ${text}`,
    listener: respond(503, { "retry-after": text }),
    status: "pending" as const,
    wait: firstWait,
    responseStatus: 503,
  })),
  {
    name: "200 with an endless body",
    listener: (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(512)), 5);
      response.on("close", () => clearInterval(timer));
    },
    status: "delivered",
    responseStatus: 200,
  },
  {
    name: "200 with a body that stalls",
    listener: (_request, response) => void response.writeHead(200).write("x"),
    status: "delivered",
    responseStatus: 200,
  },
  {
    name: "no response",
    listener: () => {},
    status: "pending",
    wait: firstWait,
    responseStatus: null,
  },
  {
    name: "a broken connection",
    listener: (request) => void request.socket.destroy(),
    status: "pending",
    wait: firstWait,
    responseStatus: null,
  },
];

describe("a receiver's response", () => {
  it.each(rows)("$name: $status", async (row) => {
    const { url, host, received } = await startReceiver(row.listener);
    const id = await enqueueTestEvent(account, url);
    const delivery = await attempt(id, testNetwork([host]));
    expect(received).toHaveLength(1);
    expect(delivery.status).toBe(row.status);
    expect(delivery.attempts).toMatchObject([{ status: row.responseStatus }]);
    expect(delivery.attempts[0]?.response.length).toBeLessThanOrEqual(1024);
    const wait = secondsUntilNextAttempt(delivery);
    if (!row.wait) return expect(wait).toBeUndefined();
    expect(wait).toBeGreaterThan(row.wait[0] - 0.1);
    expect(wait).toBeLessThanOrEqual(row.wait[1] + slack);
  });
});

it("a receiver that fails for days gets ten attempts with one id, at growing intervals", async () => {
  const { url, host, received } = await startReceiver(respond(500));
  const id = await enqueueTestEvent(account, url);
  const waits: number[] = [];
  for (let count = 0; count < 20; count++) {
    const delivery = await attempt(id, testNetwork([host]));
    waits.push(secondsUntilNextAttempt(delivery) ?? 0);
    await makeAttemptDue(id);
  }
  expect(received).toHaveLength(10);
  expect(new Set(received.map((hook) => hook.headers["webhook-id"]))).toEqual(new Set([id]));
  expect(await readDelivery(id)).toMatchObject({ status: "failed" });
  const hour = 3600;
  const planned = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
  for (const [index, wait] of planned.entries()) {
    expect(waits[index]).toBeGreaterThan(wait - 0.1);
    expect(waits[index]).toBeLessThanOrEqual(wait * 1.1 + slack);
  }
});

describe("the receiver's IP address is checked at every attempt", () => {
  it("a host name that now resolves to a private address is not called", async () => {
    const records = [["192.0.2.7"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]];
    const network = testNetwork([], { resolve: async () => records.shift() ?? ["127.0.0.1"] });
    const id = await enqueueTestEvent(account, "http://hooks.example.com/");
    while (records.length > 0) {
      await attempt(id, network);
      await makeAttemptDue(id);
    }
    const { attempts } = await readDelivery(id);
    expect(attempts).toHaveLength(3);
    for (const { status, response } of attempts) {
      expect(status).toBeNull();
      expect(response).toMatch(/^The URL is not allowed/);
    }
  });

  it("no private address is called, in any notation", async () => {
    const network = testNetwork([], { resolve: async () => ["127.0.0.1"] });
    for (const url of blockedUrls) {
      const delivery = await attempt(await enqueueTestEvent(account, url), network);
      const [first] = delivery.attempts;
      expect([url, first?.status, first?.response]).toEqual([
        url,
        null,
        expect.stringMatching(/^The URL is not allowed/),
      ]);
    }
  });
});

describe("signatures", () => {
  it("after a rotation both secrets sign for 24 hours, then only the new one", async () => {
    const owner = await makeAccount();
    const { url, host, received } = await startReceiver(respond(200));
    const sendOne = async () => {
      await attempt(await enqueueTestEvent(owner, url), testNetwork([host]));
      return received.at(-1);
    };
    const verifies = (secret: string, hook = received.at(-1)) => {
      try {
        new Webhook(secret).verify(hook?.body ?? "", hook?.headers ?? {});
        return true;
      } catch {
        return false;
      }
    };
    const previous = owner.webhookSecret;
    const current = await rotateWebhookSecret(owner.id);
    expect(current).toMatch(/^whsec_/);
    await sendOne();
    expect([verifies(previous), verifies(current)]).toEqual([true, true]);
    const { previousWebhookSecretExpiresAt: until } = (await findAccount(db(), owner.id)) ?? {};
    expect(((until?.getTime() ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    await db().execute(
      sql`update accounts set previous_webhook_secret_expires_at = now() where id = ${owner.id}`,
    );
    const hook = await sendOne();
    expect([verifies(previous), verifies(current)]).toEqual([false, true]);
    expect(hook?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("each attempt has a timestamp, and an altered body or timestamp does not verify", async () => {
    const { url, host, received } = await startReceiver(respond(200));
    await attempt(await enqueueTestEvent(account, url), testNetwork([host]));
    const hook = received[0];
    const webhook = new Webhook(account.webhookSecret);
    const { "webhook-timestamp": at = "" } = hook?.headers ?? {};
    expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60);
    expect(() => webhook.verify(`${hook?.body} `, hook?.headers ?? {})).toThrow();
    const moved = { ...hook?.headers, "webhook-timestamp": String(Number(at) + 1) };
    expect(() => webhook.verify(hook?.body ?? "", moved)).toThrow();
  });
});

describe("an attempt", () => {
  it("is made once, also after several messages", async () => {
    const { url, host, received } = await startReceiver((_request, response) => {
      setTimeout(() => response.end(), 100);
    });
    const id = await enqueueTestEvent(account, url);
    const network = testNetwork([host]);
    await Promise.all(Array.from({ length: 5 }, () => attempt(id, network)));
    expect(received).toHaveLength(1);
  });

  it("that was lost with its runner is due again when its lease expires", async () => {
    const { url, host, received } = await startReceiver(respond(200));
    const id = await enqueueTestEvent(account, url);
    expect(await claimAttempt(db(), id, 60)).toMatchObject({ id });
    await attempt(id, testNetwork([host]));
    expect(received).toHaveLength(0);
    await makeAttemptDue(id);
    expect(await attempt(id, testNetwork([host]))).toMatchObject({ status: "delivered" });
  });

  it("that ends after its lease expired is only added to the attempts", async () => {
    const held: ServerResponse[] = [];
    const { url, host } = await startReceiver((_request, response) => {
      if (held.push(response) > 1) response.writeHead(200).end();
    });
    const id = await enqueueTestEvent(account, url);
    const late = attempt(id, testNetwork([host]), { responseMs: 20_000 });
    await waitUntil(() => held.length === 1);
    await makeAttemptDue(id);
    expect(await attempt(id, testNetwork([host]))).toMatchObject({ status: "delivered" });
    held[0]?.writeHead(500).end();
    const delivery = await late;
    expect(delivery).toMatchObject({ status: "delivered", nextAttemptAt: null });
    expect(delivery.attempts.map(({ status }) => status)).toEqual([200, 500]);
  });

  it("after a resend uses the same id and keeps the earlier attempts", async () => {
    const { url, host, received } = await startReceiver(respond(410));
    const id = await enqueueTestEvent(account, url);
    await attempt(id, testNetwork([host]));
    expect(await resendDelivery(account.id, id)).toMatchObject({ id, status: "pending" });
    const { attempts } = await attempt(id, testNetwork([host]));
    expect(received.map((hook) => hook.headers["webhook-id"])).toEqual([id, id]);
    expect(attempts).toHaveLength(2);
  });
});
