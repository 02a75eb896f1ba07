import { expect, it } from "vitest";
import { Client, createClient } from "#tests/service/client.ts";

const client = new Client();
const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };
let keys = 0;
const freshKey = () => `key-${process.pid}-${++keys}`;

const send = (key: string, fields: Record<string, string | typeof html> = {}, owner = client) =>
  owner.postForm("/v1/document/html-to-pdf", { file: html, ...fields }, { "idempotency-key": key });

it("the same key and body answer the first response again", async () => {
  const key = freshKey();
  const first = await send(key);
  const again = await send(key);
  expect([first.status, again.status]).toEqual([202, 202]);
  expect([
    first.headers.get("idempotency-replayed"),
    again.headers.get("idempotency-replayed"),
  ]).toEqual([null, "true"]);
  expect(await again.text()).toBe(await first.text());
});

it("50 requests at once make one job", async () => {
  const owner = await createClient();
  const key = freshKey();
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(key, {}, owner)));
  const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
  expect(bodies.size).toBe(1);
  expect((await owner.request("/v1/jobs")).headers.get("x-total-count")).toBe("1");
});

it.each([
  ["other parameters", { scale: "2" }],
  ["another file", { file: { ...html, bytes: "<h1>Other</h1>" } }],
])("the same key with %s answers 422", async (_name, fields) => {
  const key = freshKey();
  await send(key);
  const response = await send(key, fields);
  expect([response.status, response.headers.get("x-error-code")]).toEqual([
    422,
    "idempotency_conflict",
  ]);
});

it("is kept apart for each account, and not for what was refused", async () => {
  const key = freshKey();
  expect((await send(key, { scale: "99" })).status).toBe(400);
  const first = await send(key);
  const other = await send(key, {}, await createClient());
  expect([first.status, other.status, other.headers.get("idempotency-replayed")]).toEqual([
    202,
    202,
    null,
  ]);
});

it("replays the end where the first had waited for it", async () => {
  const headers = { "idempotency-key": freshKey(), prefer: "wait=30" };
  const path = "/v1/document/html-to-pdf";
  const first = await client.postForm(path, { file: html }, headers);
  const again = await client.postForm(path, { file: html }, headers);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(await again.json()).toEqual(await first.json());
});

it("a key of 300 characters answers 400", async () => {
  expect((await send("k".repeat(300))).status).toBe(400);
});
