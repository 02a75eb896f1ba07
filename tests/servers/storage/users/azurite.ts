import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { npmServers } from "#lib/setup/test-servers.mjs";
import { freePort } from "#tests/service/stack.ts";
import { s3Error, startHttpFront } from "./http-front.ts";
import { type RealStore, serve } from "./real-store.ts";

/** Azurite, which serves Azure's blobs and checks its signatures. */

const account = "mystorage";
const container = "videos";

export async function startAzurite(): Promise<RealStore> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "mediamill-azurite-"));
  const accountKey = randomBytes(64).toString("base64");
  const wrongKey = randomBytes(64).toString("base64");
  const program = join(npmServers, "node_modules/azurite/dist/src/blob/main.js");
  const options = [
    "--silent",
    "--disableTelemetry",
    "--skipApiVersionCheck",
    "--inMemoryPersistence",
  ];
  const azurite = await serve(
    port,
    [process.execPath, program, ...options, "--blobPort", String(port)],
    { cwd: folder, env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${accountKey}` } },
  );
  const credential = new StorageSharedKeyCredential(account, accountKey);
  const client = new BlobServiceClient(`http://127.0.0.1:${port}/${account}`, credential);
  await client.createContainer(container);
  // A key of the account permits everything: what it may not is decided by the rules of the account's network.
  const front = await startHttpFront({
    port,
    isFile: ({ url = "/" }) => !url.includes("comp=list"),
    decide({ method, url = "/" }) {
      const [, folder, rest] = /^\/(read-only|no-reading)(\/.*)$/.exec(url) ?? [];
      if (rest === undefined) return {};
      const isRefused = folder === "read-only" ? method === "PUT" : method === "GET";
      return isRefused ? { status: 403, body: s3Error("AuthorizationFailure") } : { url: rest };
    },
    fullBody: s3Error("InsufficientStorage"),
  });
  const at = (prefix = "") => `http://127.0.0.1:${front.port}${prefix}/${account}`;
  return {
    type: "azure",
    faults: front.faults,
    fields: { account, container, endpoint: at(), account_key: accountKey },
    others: {
      wrongSecret: { account_key: wrongKey },
      readOnly: { endpoint: at("/read-only") },
      noReading: { endpoint: at("/no-reading") },
      missingRoot: { container: "none" },
      privateAddress: { endpoint: `http://10.0.0.1:8080/${account}` },
    },
    secrets: [accountKey, wrongKey],
    sentBytes: front.sentBytes,
    async close() {
      await front.close();
      await azurite.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
