import { expect, it } from "vitest";
import { Client, createClient } from "#tests/service/http/client.ts";

const client = new Client();
const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };
let keys = 0;
const nextKey = () => `key-${process.pid}-${++keys}`;

const send = (key: string, fields: Record<string, string | typeof html> = {}, owner = client) =>
  owner.postForm("/v1/document/html-to-pdf", { file: html, ...fields }, { "idempotency-key": key });

it("the same key and body return the first response again", async () => {
  const key = nextKey();
  const first = await send(key);
  const again = await send(key);
  expect([first.status, again.status]).toEqual([202, 202]);
  expect([
    first.headers.get("idempotency-replayed"),
    again.headers.get("idempotency-replayed"),
  ]).toEqual([null, "true"]);
  expect(await again.text()).toBe(await first.text());
});

it("50 concurrent requests with one key create one job", async () => {
  const owner = await createClient();
  const key = nextKey();
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(key, {}, owner)));
  const accepted = responses.filter(({ status }) => status === 202);
  const bodies = new Set(await Promise.all(accepted.map((response) => response.text())));
  expect(bodies.size).toBe(1);
  expect((await owner.request("/v1/jobs")).headers.get("x-total-count")).toBe("1");
  const others = responses.filter((response) => !accepted.includes(response));
  expect(others.every(({ status }) => status === 409)).toBe(true);
});

it("while a request is received, its key returns 409; after it was rejected, the key is free", async () => {
  const key = nextKey();
  let slow = sendSlowly(key);
  await expect
    .poll(async () => {
      // It met the request of an earlier round.
      if (slow.isAnswered) slow = sendSlowly(key);
      // Before the slow one has arrived, this one is rejected for its value.
      return (await send(key, { scale: "98" })).status;
    })
    .toBe(409);
  const second = await send(key);
  expect([second.status, second.headers.get("x-error-code")]).toEqual([409, "conflict"]);
  expect(second.headers.get("retry-after")).toBe("1");
  slow.end();
  expect((await slow.response).status).toBe(400);
  expect((await send(key)).status).toBe(202);
});

/** A request that is rejected for its value once `end` is called. */
function sendSlowly(key: string) {
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<string>();
  const field = `--b\r\nContent-Disposition: form-data; name="scale"\r\n\r\n99\r\n`;
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(field));
      controller.enqueue(Buffer.from(await rest));
      controller.close();
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=b", "idempotency-key": key };
  const init = { method: "POST", headers, body, duplex: "half" };
  const slow = {
    isAnswered: false,
    end: () => sendRest("--b--\r\n"),
    response: client.request("/v1/document/html-to-pdf", init).finally(() => {
      slow.isAnswered = true;
    }),
  };
  return slow;
}

it("fields that are written differently and mean the same are the same", async () => {
  const key = nextKey();
  const first = await send(key, { scale: "2", metadata: '{"a":"1","b":"2"}' });
  const again = await send(key, { scale: "2.0", metadata: '{ "b": "2", "a": "1" }' });
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
});

it.each([
  ["other parameters", { scale: "2" }],
  ["another file", { file: { ...html, bytes: "<h1>Other</h1>" } }],
])("the same key with %s returns 422", async (_name, fields) => {
  const key = nextKey();
  await send(key);
  const response = await send(key, fields);
  expect([response.status, response.headers.get("x-error-code")]).toEqual([
    422,
    "idempotency_conflict",
  ]);
});

it("a key belongs to one account, and a rejected request does not use it", async () => {
  const key = nextKey();
  expect((await send(key, { scale: "99" })).status).toBe(400);
  const first = await send(key);
  const other = await send(key, {}, await createClient());
  expect([first.status, other.status, other.headers.get("idempotency-replayed")]).toEqual([
    202,
    202,
    null,
  ]);
});

it("a retry returns the completed job if the first request waited for it", async () => {
  const headers = { "idempotency-key": nextKey(), prefer: "wait=30" };
  const path = "/v1/document/html-to-pdf";
  const first = await client.postForm(path, { file: html }, headers);
  const again = await client.postForm(path, { file: html }, headers);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(await again.json()).toEqual(await first.json());
});

it("a key of 300 characters returns 400", async () => {
  expect((await send("k".repeat(300))).status).toBe(400);
});
