import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { requireStored } from "#lib/connections/stores/responses.ts";
import { putFile } from "#lib/net/put-file.ts";
import { testNetwork } from "#tests/servers/net.ts";

let close: (() => void) | undefined;
afterEach(() => close?.());

const megabyte = 1024 ** 2;

/** Sends a file of 20 MiB to a server. */
async function send(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bytes = 20 * megabyte;
  const chunks = function* () {
    for (let left = bytes; left > 0; left -= megabyte) yield Buffer.alloc(megabyte, 1);
  };
  const put = {
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    bytes,
    open: async () => Readable.from(chunks()),
    signal: AbortSignal.timeout(20_000),
    onProgress: () => {},
  };
  return putFile(put, testNetwork([`127.0.0.1:${port}`]));
}

it("a server that has received the file has stored it", async () => {
  const response = await send((request, sent) => {
    request.resume().on("end", () => sent.end());
  });
  expect(response).toMatchObject({ status: 200, isWhole: true });
  expect(() => requireStored(response)).not.toThrow();
});

it("a server that responds with a page has not stored the file", async () => {
  const page = await send((request, sent) => {
    request.resume().on("end", () => sent.end("\n<!DOCTYPE html><title>Sign in</title>"));
  });
  expect(() => requireStored(page)).toThrow("not as a store that has the file");
  expect(() => requireStored({ ...page, status: 201 })).not.toThrow();
  expect(() => requireStored({ ...page, bodyStart: "ok" })).not.toThrow();
});

it("a server that confirms the file before it has received it has not stored it", async () => {
  const response = await send((_request, sent) => {
    sent.end();
  });
  expect(response).toMatchObject({ status: 200, isWhole: false });
  expect(() => requireStored(response)).toThrow("before it had received all of it");
});
