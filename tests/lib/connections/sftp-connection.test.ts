import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { SftpConnection } from "#lib/connections/stores/sftp-connection.ts";
import { testNetwork } from "#tests/servers/net.ts";

/** A server that ends each connection at once. */
let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.destroy();
});
let port = 0;

async function listen(): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

async function stopListening(): Promise<void> {
  server.close();
  await once(server, "close");
}

beforeAll(async () => {
  await listen();
  ({ port } = server.address() as AddressInfo);
});
afterAll(stopListening);
beforeEach(() => {
  connections = 0;
});

function createConnection(): SftpConnection {
  const access = { host: "127.0.0.1", port, username: "a", password: "b" };
  const network = testNetwork([`127.0.0.1:${port}`]);
  const { signal } = new AbortController();
  return new SftpConnection({ ...access, onHostKey: async () => {} }, { network, signal });
}

it("is tried again after the server could not be reached", async () => {
  const connection = createConnection();
  await stopListening();
  await expect(connection.client()).rejects.toMatchObject({ isPermanent: false });
  await listen();
  expect(connection.hasEnded).toBe(true);
  await expect(connection.client()).rejects.toMatchObject({ isPermanent: false });
  expect(connections).toBe(1);
});

it("is shared by calls at the same time, also after it has ended", async () => {
  const connection = createConnection();
  await expect(connection.client()).rejects.toThrow();
  expect(connections).toBe(1);
  await Promise.allSettled([connection.client(), connection.client()]);
  expect(connections).toBe(2);
});

it("is not left open if it is closed while it is being made", async () => {
  const connection = createConnection();
  const client = connection.client();
  client.catch(() => {});
  await connection.close();
  await expect(client).rejects.toThrow();
  expect([connection.hasEnded, connections]).toEqual([true, 0]);
});
