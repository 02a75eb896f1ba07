import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { SftpStore } from "#lib/connections/stores/sftp.ts";
import type { SftpAccess } from "#lib/connections/stores/sftp-connection.ts";
import type { Store, StoreContext } from "#lib/connections/stores/store.ts";
import { type WebdavAccess, WebdavStore } from "#lib/connections/stores/webdav.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";
import {
  startSftpStore,
  startWebdavStore,
  type UserStore,
} from "#tests/servers/storage/user-stores.ts";

type Open = (fields: UserStore["fields"], context: StoreContext) => Store;

const onHostKey = async () => {};
const openSftp: Open = (fields, context) =>
  new SftpStore({ ...(fields as unknown as SftpAccess), onHostKey }, context);
const openWebdav: Open = (fields, context) =>
  new WebdavStore(fields as unknown as WebdavAccess, context);

it.each([
  ["sftp", startSftpStore, openSftp],
  ["webdav", startWebdavStore, openWebdav],
])("leaves nothing of a file at %s whose sending is stopped", async (_type, start, open) => {
  const server = await start();
  try {
    server.stalls = true;
    const stopping = new AbortController();
    const { signal } = stopping;
    const network = testNetwork(["127.0.0.1:*"]);
    const store = open(server.fields, { network, signal });
    const content = Buffer.alloc(200_000, 1);
    const file = {
      ...smallFile(signal),
      path: "out/a.bin",
      bytes: content.length,
      open: async () => Readable.from([content]),
    };
    const sending = store.put(file).catch((error: unknown) => error);
    await expect.poll(() => server.stalled, { timeout: 30_000 }).toBe(1);
    stopping.abort(new Error("stopped"));
    await sending;
    await store.close();
    expect(await server.list()).toEqual([]);
  } finally {
    await server.close();
  }
});
