import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAzureSigner } from "#lib/connections/stores/azure.ts";
import { createGcsSigner } from "#lib/connections/stores/gcs.ts";
import { HttpStore } from "#lib/connections/stores/http-store.ts";
import { createS3Signer } from "#lib/connections/stores/s3.ts";
import { SftpStore } from "#lib/connections/stores/sftp.ts";
import type { Store, StoreContext } from "#lib/connections/stores/store.ts";
import { WebdavStore } from "#lib/connections/stores/webdav.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

/** Stores that accept connections and say nothing. */

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {}).resume();
});
let port = 0;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

const endpoint = () => `http://127.0.0.1:${port}`;

const stores: Readonly<Record<string, (context: StoreContext) => Store>> = {
  s3: ({ network, signal }) => {
    const credentials = async () => ({ accessKeyId: "a", secretAccessKey: "b" });
    const access = { bucket: "b", region: "us-east-1", endpoint: endpoint(), credentials };
    return new HttpStore(createS3Signer(access), network, signal);
  },
  gcs: ({ network, signal }) => {
    const access = { bucket: "b", endpoint: endpoint(), clientEmail: "a@b.example" };
    return new HttpStore(createGcsSigner({ ...access, privateKey: pem }), network, signal);
  },
  azure: ({ network, signal }) => {
    const accountKey = Buffer.alloc(64).toString("base64");
    const access = { account: "a", container: "b", endpoint: endpoint(), accountKey };
    return new HttpStore(createAzureSigner(access), network, signal);
  },
  webdav: (context) => new WebdavStore({ url: endpoint(), username: "a", password: "b" }, context),
  sftp: (context) =>
    new SftpStore(
      { host: "127.0.0.1", port, username: "a", password: "b", onHostKey: async () => {} },
      context,
    ),
};

describe.each(Object.keys(stores))("a store with %s that hangs", (type) => {
  it("ends a request that is stopped, at once", async () => {
    const { signal, abort } = stoppable();
    const network = testNetwork([`127.0.0.1:${port}`]);
    const store = stores[type]?.({ network, signal });
    if (!store) throw new Error(`there is no ${type}`);
    const startedAt = Date.now();
    const requests = [store.put(smallFile(signal)), store.list({ prefix: "", limit: 1 })];
    setTimeout(abort, 200);
    const results = await Promise.allSettled(requests);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(Date.now() - startedAt).toBeLessThan(5000);
    await store.close();
  });

  it("takes no longer than a response may take", async () => {
    const { signal } = stoppable();
    const network = testNetwork([`127.0.0.1:${port}`], {}, { headersMs: 100, chunkMs: 300 });
    const store = stores[type]?.({ network, signal });
    await expect(store?.put(smallFile(signal))).rejects.toMatchObject({ isPermanent: false });
    await store?.close();
  });
});

function stoppable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
