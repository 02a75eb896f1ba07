import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { constantJson } from "#lib/api/http/constant-json.ts";
import { bodyLengthHeader } from "#lib/api/http/send-file.ts";
import { restoreBodyLength } from "#lib/server/body-length.ts";
import { openRequest, sendResponse } from "#lib/server/web-messages.ts";

/** What the server does with the next request. */
let respond: (request: Request) => Promise<Response> | Response;
let failure: unknown;

const server = createServer((incoming, outgoing) => {
  restoreBodyLength(outgoing);
  const request = openRequest(incoming, outgoing);
  Promise.resolve(respond(request))
    .then((response) => sendResponse(response, incoming, outgoing))
    .catch((error) => {
      failure = error;
    });
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function request(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get({ port, path: "/v1/jobs?limit=1", headers, agent: false }, resolve).on("error", reject);
  return promise;
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const long = { text: "x".repeat(5000) };

test("the request has the method, the URL and the headers of the message", async () => {
  respond = ({ method, url, headers }) =>
    Response.json({ method, url, test: headers.get("x-test") });
  const message = await request({ host: "example.com", "x-test": "1" });
  expect(JSON.parse((await readAll(message)).toString())).toEqual({
    method: "GET",
    url: "http://example.com/v1/jobs?limit=1",
    test: "1",
  });
  expect(message.headers).toMatchObject({ "content-type": "application/json" });
  expect(Number(message.headers["content-length"])).toBeGreaterThan(0);
});

test("JSON that does not change is made once, and sent only to clients that do not have it", async () => {
  let made = 0;
  respond = constantJson(() => ({ ...long, made: ++made }));
  const plain = await request();
  const compressed = await request({ "accept-encoding": "gzip" });
  expect([plain, compressed].map(({ headers }) => headers["content-encoding"])).toEqual([
    undefined,
    "gzip",
  ]);
  const body = await readAll(plain);
  expect(JSON.parse(body.toString())).toEqual({ ...long, made: 1 });
  expect(gunzipSync(await readAll(compressed))).toEqual(body);
  expect([plain.headers.vary, compressed.headers.vary]).toEqual([
    "Accept-Encoding",
    "Accept-Encoding",
  ]);
  const etag = plain.headers.etag ?? "";
  const known = await request({ "accept-encoding": "gzip", "if-none-match": etag });
  expect([known.statusCode, (await readAll(known)).length]).toEqual([304, 0]);
  expect(known.headers).toMatchObject({ etag, vary: "Accept-Encoding" });
});

test("JSON that does not change is made again after a failure", async () => {
  let made = 0;
  const toJSON = () => {
    if (++made === 1) throw new Error("not made");
    return long;
  };
  const respondOnce = constantJson(() => ({ toJSON }));
  await expect(respondOnce(new Request("http://localhost"))).rejects.toThrow("not made");
  expect(await (await respondOnce(new Request("http://localhost"))).json()).toEqual(long);
});

test("a body that is kept compressed is sent without reading the other one", async () => {
  const constant = constantJson(() => long);
  let response: Response | undefined;
  respond = async (given) => {
    response = await constant(given);
    return response;
  };
  const compressed = await request({ "accept-encoding": "gzip" });
  expect(JSON.parse(gunzipSync(await readAll(compressed)).toString())).toEqual(long);
  expect(response?.bodyUsed).toBe(false);
});

test("long JSON is compressed for a client that accepts it, short JSON is not", async () => {
  respond = () => Response.json(long);
  const compressed = await request({ "accept-encoding": "br, gzip" });
  expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(JSON.parse(gunzipSync(await readAll(compressed)).toString())).toEqual(long);
  const plain = await request();
  expect(plain.headers).toMatchObject({ vary: "Accept-Encoding" });
  expect(JSON.parse((await readAll(plain)).toString())).toEqual(long);
  respond = () => Response.json({});
  const short = await request({ "accept-encoding": "gzip" });
  expect(short.headers["content-encoding"]).toBeUndefined();
  expect((await readAll(short)).toString()).toBe("{}");
});

test("a file of type JSON is sent as it is, with its length", async () => {
  const text = JSON.stringify(long);
  const headers = { "content-type": "application/json", [bodyLengthHeader]: String(text.length) };
  respond = () => new Response(text, { status: 206, headers });
  const message = await request({ "accept-encoding": "gzip" });
  expect(message.statusCode).toBe(206);
  expect(message.headers["content-length"]).toBe(String(text.length));
  expect(message.headers["content-encoding"]).toBeUndefined();
  expect((await readAll(message)).toString()).toBe(text);
});

test("a body that fails cuts the connection, so that it is not taken for complete", async () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(Buffer.from("part"));
      controller.error(new Error("the store failed"));
    },
  });
  respond = () => new Response(body);
  const message = await request();
  await expect(readAll(message)).rejects.toThrow("aborted");
  expect(failure).toMatchObject({ message: "the store failed" });
  failure = undefined;
});

test("a client that disconnects aborts the request and cancels the body", async () => {
  const cancelled = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  respond = ({ signal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(": hello\n\n")),
      cancel: () => cancelled.resolve(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const message = await request();
  await once(message, "data");
  message.destroy();
  await Promise.all([cancelled.promise, aborted.promise]);
  expect(failure).toBeUndefined();
});
