import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SftpStore } from "#lib/connections/stores/sftp.ts";
import type { SftpAccess } from "#lib/connections/stores/sftp-connection.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { type SftpServer, startSftpServer } from "#tests/servers/storage/sftp-server.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

let server: SftpServer;
beforeEach(async () => {
  server = await startSftpServer();
});
afterEach(() => server.close());

const { signal } = new AbortController();

function createStore(access: Partial<SftpAccess> = {}): SftpStore {
  const network = testNetwork([`127.0.0.1:${server.port}`]);
  return new SftpStore({ ...server.access, ...access }, { network, signal });
}

const file = smallFile(signal);

it("stores a file", async () => {
  const store = createStore();
  await store.put(file);
  await store.close();
  expect([...server.files]).toEqual([["a.txt", Buffer.from("content")]]);
});

it.each<[string, (socket: Socket) => void]>([
  ["is reset", (socket) => socket.resetAndDestroy()],
  ["ends", (socket) => socket.end()],
])("leaves nothing of a file if the connection %s before it is renamed", async (_, onRename) => {
  server.onRename = (socket) => {
    onRename(socket);
    return false;
  };
  const store = createStore();
  await expect(store.put(file)).rejects.toMatchObject({ isPermanent: false });
  await store.close();
  expect([...server.files.keys()]).toEqual([]);
  expect(server.sockets).toHaveLength(2);
});

it("tries wrong credentials once for a file", async () => {
  const store = createStore({ password: "wrong" });
  await expect(store.put(file)).rejects.toMatchObject({ fault: "credentials" });
  await store.close();
  expect(server.sockets).toHaveLength(1);
});

it("keeps a connection that another reader of a file has made after theirs has failed", async () => {
  const bytes = 4_000_000;
  // More than a reader requests at a time.
  server.files.set("big.bin", Buffer.alloc(bytes, 1));
  const store = createStore();
  const ranges = await store.openRanges("big.bin");
  const startReading = async () => {
    const reader = ranges.read(0, bytes, signal)[Symbol.asyncIterator]();
    const { value } = await reader.next();
    return { reader, first: value.length };
  };
  const late = await startReading();
  server.sockets[0]?.destroy();
  const early = await startReading();
  for (const { reader, first } of [late, early]) {
    let count = first;
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      count += next.value.length;
    }
    expect(count).toBe(bytes);
  }
  expect(server.sockets).toHaveLength(2);
  await store.close();
});
