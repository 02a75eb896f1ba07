import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bodyStream, isBodyOpened, isReceivingBody } from "#lib/api/http/body.ts";
import { createWebServer } from "#lib/server/server.ts";
import { waitUntil } from "#tests/support/processes.ts";

type Handler = (request: Request, message: IncomingMessage) => Promise<string>;

let handle: Handler = async () => "";

/** Gives the routes a request as Next.js does: its body is the message itself. */
const server = createWebServer((message, response) => {
  const { headers, url } = message;
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const init = {
    method: "POST",
    headers: Object.fromEntries(given),
    body: message,
    duplex: "half",
  };
  const request = new Request(`http://localhost${url}`, init as unknown as RequestInit);
  handle(request, message).then(
    (text) => response.end(text),
    (error: Error) => response.writeHead(400).end(error.message),
  );
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => server.close());

const port = () => (server.address() as AddressInfo).port; // it listens on a port

async function post(body: Buffer): Promise<{ status: number | undefined; text: string }> {
  const request = sendRequest({ port: port(), method: "POST", agent: false });
  request.on("error", () => {}); // the server may close the connection after its response
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode, text: (await buffer(response)).toString() };
}

test("the body is read from the message, and the request's own stream stays unused", async () => {
  const body = Buffer.alloc(3_000_000, "body");
  handle = async (request) => {
    const read = await buffer(bodyStream(request));
    return `${read.equals(body)} ${request.bodyUsed}`;
  };
  expect(await post(body)).toEqual({ status: 200, text: "true false" });
});

test("a body is being received from its first read until all of it has arrived, and stays opened", async () => {
  handle = async (request) => {
    const states: boolean[][] = [];
    const look = () => states.push([isBodyOpened(request), isReceivingBody(request)]);
    look();
    const stream = bodyStream(request);
    stream.read(0);
    await wait(50);
    look();
    await buffer(stream);
    look();
    return states.join(" ");
  };
  const { text } = await post(Buffer.alloc(20_000_000));
  expect(text).toBe("false,false true,true true,false");
});

test("a slow reader holds the sender back", async () => {
  const bytes = 64 * 1024 ** 2;
  let held = 0;
  handle = async (request, message) => {
    const stream = bodyStream(request);
    stream.read(0);
    await waitUntil(() => stream.readableLength > 0);
    await wait(300);
    held = stream.readableLength + message.readableLength;
    return String((await buffer(stream)).length);
  };
  expect((await post(Buffer.alloc(bytes))).text).toBe(String(bytes));
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(8 * 1024 ** 2);
});

test.each([
  ["not read", () => {}],
  ["read in part", (stream: Readable) => void stream.once("data", () => stream.destroy())],
])("a body that is %s does not lose the response", async (_name, read) => {
  handle = async (request) => {
    read(bodyStream(request));
    await wait(50);
    throw new Error("rejected");
  };
  expect(await post(Buffer.alloc(20_000_000))).toEqual({ status: 400, text: "rejected" });
});

const incompleteBody = { message: "The body of the request is incomplete." };

/** Sends a part of a body, and breaks the connection once the request has been `received`. */
async function sendPart(received: Promise<void>): Promise<void> {
  const socket = connect(port(), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nshort");
  await received;
  socket.destroy();
}

test("a body whose connection breaks is an error", async () => {
  const received = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  handle = async (request) => {
    const reading = buffer(bodyStream(request));
    received.resolve();
    await reading.then(failed.reject, failed.resolve);
    return "";
  };
  await sendPart(received.promise);
  expect(await failed.promise).toMatchObject(incompleteBody);
});

test("a connection that broke before the body is read is an error", async () => {
  const received = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  handle = async (request, message) => {
    const broken = new Promise((resolve) => message.on("error", () => {}).once("close", resolve));
    received.resolve();
    await broken;
    await buffer(bodyStream(request)).then(failed.reject, failed.resolve);
    return "";
  };
  await sendPart(received.promise);
  expect(await failed.promise).toMatchObject(incompleteBody);
});
