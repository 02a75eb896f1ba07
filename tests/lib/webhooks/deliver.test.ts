import type { RequestListener, ServerResponse } from "node:http";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { type Account, findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { takeAttempt } from "#lib/db/queries/webhooks/deliveries.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";
import { rotateWebhookSecret } from "#lib/webhooks/secret.ts";
import { closedAddresses } from "#tests/hostile/bad-urls.ts";
import { testNetwork } from "#tests/servers/net.ts";
import {
  attempt,
  makeDue,
  oweTest,
  readDelivery,
  startReceiver,
  waitOf,
} from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

let account: Account;

beforeAll(async () => {
  account = await makeAccount();
});

const day = 86_400;
/** Seconds that a busy machine may take to write an attempt down. */
const slack = 5;
const firstWait = [5, 5.5] as const;
const answer =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end("said so");

interface Row {
  readonly name: string;
  readonly answer: RequestListener;
  readonly status: "delivered" | "failed" | "pending";
  /** Seconds until the next attempt, from and to. */
  readonly wait?: readonly [number, number];
  /** Of the attempt; null where no answer came. */
  readonly answered: number | null;
}

const rows: readonly Row[] = [
  { name: "200", answer: answer(200), status: "delivered", answered: 200 },
  { name: "299", answer: answer(299), status: "delivered", answered: 299 },
  {
    name: "301",
    answer: answer(301, { location: "/" }),
    status: "pending",
    wait: firstWait,
    answered: 301,
  },
  {
    name: "307",
    answer: answer(307, { location: "/" }),
    status: "pending",
    wait: firstWait,
    answered: 307,
  },
  { name: "404", answer: answer(404), status: "pending", wait: firstWait, answered: 404 },
  { name: "410", answer: answer(410), status: "failed", answered: 410 },
  { name: "500", answer: answer(500), status: "pending", wait: firstWait, answered: 500 },
  {
    name: "Retry-After of a minute",
    answer: answer(429, { "retry-after": "60" }),
    status: "pending",
    wait: [60, 60],
    answered: 429,
  },
  {
    name: "Retry-After as a date",
    answer: (_request, response) =>
      void response
        .writeHead(503, { "retry-after": new Date(Date.now() + 120_000).toUTCString() })
        .end(),
    status: "pending",
    // A date counts whole seconds, from before the attempt's end.
    wait: [118, 120],
    answered: 503,
  },
  {
    name: "Retry-After of ten years",
    answer: answer(503, { "retry-after": `${3650 * day}` }),
    status: "pending",
    wait: [day, day],
    answered: 503,
  },
  ...["-1", "soon", "1e9", "0x10", "", "NaN"].map((text) => ({
    name: `Retry-After: ${text}`,
    answer: answer(503, { "retry-after": text }),
    status: "pending" as const,
    wait: firstWait,
    answered: 503,
  })),
  {
    name: "200 and then an endless body",
    answer: (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(512)), 5);
      response.on("close", () => clearInterval(timer));
    },
    status: "delivered",
    answered: 200,
  },
  {
    name: "200 and then a body that stalls",
    answer: (_request, response) => void response.writeHead(200).write("x"),
    status: "delivered",
    answered: 200,
  },
  { name: "silence", answer: () => {}, status: "pending", wait: firstWait, answered: null },
  {
    name: "a connection that breaks off",
    answer: (request) => void request.socket.destroy(),
    status: "pending",
    wait: firstWait,
    answered: null,
  },
];

describe("a receiver's answer", () => {
  it.each(rows)("$name: $status", async (row) => {
    const { url, host, received } = await startReceiver(row.answer);
    const id = await oweTest(account, url);
    const delivery = await attempt(id, testNetwork([host]));
    expect(received).toHaveLength(1);
    expect(delivery.status).toBe(row.status);
    expect(delivery.attempts).toMatchObject([{ status: row.answered }]);
    expect(delivery.attempts[0]?.response.length).toBeLessThanOrEqual(1024);
    const wait = waitOf(delivery);
    if (!row.wait) return expect(wait).toBeUndefined();
    expect(wait).toBeGreaterThan(row.wait[0] - 0.1);
    expect(wait).toBeLessThanOrEqual(row.wait[1] + slack);
  });
});

it("a receiver that fails for days gets ten attempts under one id, ever further apart", async () => {
  const { url, host, received } = await startReceiver(answer(500));
  const id = await oweTest(account, url);
  const waits: number[] = [];
  for (let count = 0; count < 20; count++) {
    const delivery = await attempt(id, testNetwork([host]));
    waits.push(waitOf(delivery) ?? 0);
    await makeDue(id);
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

describe("an address is judged at every attempt", () => {
  it("a name that has turned private is not called", async () => {
    const answers = [["192.0.2.7"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]];
    const network = testNetwork([], { resolve: async () => answers.shift() ?? ["127.0.0.1"] });
    const id = await oweTest(account, "http://hooks.example.com/");
    while (answers.length > 0) {
      await attempt(id, network);
      await makeDue(id);
    }
    const { attempts } = await readDelivery(id);
    expect(attempts).toHaveLength(3);
    for (const { status, response } of attempts) {
      expect(status).toBeNull();
      expect(response).toMatch(/^The address cannot be used/);
    }
  });

  it("no private address is called, however it is written", async () => {
    const network = testNetwork([], { resolve: async () => ["127.0.0.1"] });
    for (const url of closedAddresses) {
      const delivery = await attempt(await oweTest(account, url), network);
      const [made] = delivery.attempts;
      expect([url, made?.status, made?.response]).toEqual([
        url,
        null,
        expect.stringMatching(/^The address cannot be used/),
      ]);
    }
  });
});

describe("signatures", () => {
  it("after a rotation both secrets sign for 24 hours, then the new one alone", async () => {
    const owner = await makeAccount();
    const { url, host, received } = await startReceiver(answer(200));
    const sendOne = async () => {
      await attempt(await oweTest(owner, url), testNetwork([host]));
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
    const former = owner.webhookSecret;
    const next = await rotateWebhookSecret(owner.id);
    expect(next).toMatch(/^whsec_/);
    await sendOne();
    expect([verifies(former), verifies(next)]).toEqual([true, true]);
    const { previousWebhookSecretExpiresAt: until } = (await findAccount(db(), owner.id)) ?? {};
    expect(((until?.getTime() ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    await db().execute(
      sql`update accounts set previous_webhook_secret_expires_at = now() where id = ${owner.id}`,
    );
    const hook = await sendOne();
    expect([verifies(former), verifies(next)]).toEqual([false, true]);
    expect(hook?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("each attempt has its own time, and an altered body or time does not verify", async () => {
    const { url, host, received } = await startReceiver(answer(200));
    await attempt(await oweTest(account, url), testNetwork([host]));
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
  it("is made once, whoever else is told of it", async () => {
    const { url, host, received } = await startReceiver((_request, response) => {
      setTimeout(() => response.end(), 100);
    });
    const id = await oweTest(account, url);
    const network = testNetwork([host]);
    await Promise.all(Array.from({ length: 5 }, () => attempt(id, network)));
    expect(received).toHaveLength(1);
  });

  it("that vanished with its runner is due again after a while", async () => {
    const { url, host, received } = await startReceiver(answer(200));
    const id = await oweTest(account, url);
    expect(await takeAttempt(db(), id, 60)).toMatchObject({ id });
    await attempt(id, testNetwork([host]));
    expect(received).toHaveLength(0);
    await makeDue(id);
    expect(await attempt(id, testNetwork([host]))).toMatchObject({ status: "delivered" });
  });

  it("that ends after another took its place is logged and changes nothing else", async () => {
    const held: ServerResponse[] = [];
    const { url, host } = await startReceiver((_request, response) => {
      if (held.push(response) > 1) response.writeHead(200).end();
    });
    const id = await oweTest(account, url);
    const late = attempt(id, testNetwork([host]), { answerMs: 20_000 });
    await waitUntil(() => held.length === 1);
    await makeDue(id);
    expect(await attempt(id, testNetwork([host]))).toMatchObject({ status: "delivered" });
    held[0]?.writeHead(500).end();
    const delivery = await late;
    expect(delivery).toMatchObject({ status: "delivered", nextAttemptAt: null });
    expect(delivery.attempts.map(({ status }) => status)).toEqual([200, 500]);
  });

  it("sent again keeps its id and its log", async () => {
    const { url, host, received } = await startReceiver(answer(410));
    const id = await oweTest(account, url);
    await attempt(id, testNetwork([host]));
    expect(await resendDelivery(account.id, id)).toMatchObject({ id, status: "pending" });
    const { attempts } = await attempt(id, testNetwork([host]));
    expect(received.map((hook) => hook.headers["webhook-id"])).toEqual([id, id]);
    expect(attempts).toHaveLength(2);
  });
});
