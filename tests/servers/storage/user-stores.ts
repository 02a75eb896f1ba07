import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, openAsBlob, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as sendRequest } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline, Transform } from "node:stream";
import { createS3Signer } from "#lib/connections/stores/s3.ts";
import { freePort, until } from "#tests/service/stack.ts";
import { listFilesBelow } from "#tests/support/list-below.ts";
import { isSignedUrl } from "./aws-signature.ts";
import { openS3rver } from "./s3.ts";
import { isOpen, kill } from "./users/real-store.ts";

/** Stores as users have them: s3rver, and rclone for SFTP and WebDAV. */

export const storeSecret = "canary-S3cr3t-0a1b";
export const storeUser = "anna";

/** A store with a folder of files. */
export interface UserStore {
  /** The fields of a connection to it. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The name of the field with the secret. */
  readonly secretField: string;
  /** Each request, as method and path; empty for a store without HTTP. */
  readonly requests: string[];
  /** How many of the next requests for files, or connections without HTTP, fail. */
  failNext: number;
  /** Whether it stops to read in the middle of a file that it gets. */
  stalls: boolean;
  /** How many files it has stopped to read. */
  stalled: number;
  /** Bytes that it has sent: of files, or of all over a store without HTTP. */
  sentBytes: number;
  put(path: string, content: Buffer): Promise<void>;
  /** Puts a file of this disk, which stays as it is. */
  putFile(path: string, file: string): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  /** The paths of all files. */
  list(): Promise<string[]>;
  close(): Promise<void>;
}

/** A store whose HTTP requests pass a server in front of it, which can fail. */
export async function startWebdavStore(): Promise<UserStore> {
  const fieldsFor = (port: number) => ({
    url: `http://127.0.0.1:${port}`,
    username: storeUser,
    password: storeSecret,
  });
  return startRclone("webdav", fieldsFor);
}

export async function startSftpStore(): Promise<UserStore> {
  const fieldsFor = (port: number) => ({
    host: "127.0.0.1",
    port,
    username: storeUser,
    password: storeSecret,
  });
  return startRclone("sftp", fieldsFor);
}

async function startRclone(
  protocol: "webdav" | "sftp",
  fieldsFor: (port: number) => UserStore["fields"],
): Promise<UserStore> {
  const home = await mkdtemp(join(tmpdir(), "mediamill-store-"));
  const folder = join(home, "files");
  mkdirSync(folder);
  const port = await freePort();
  const args = ["serve", protocol, folder, "--addr", `127.0.0.1:${port}`];
  const access = ["--user", storeUser, "--pass", storeSecret, "--dir-cache-time", "0s"];
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache") };
  const child = spawn("rclone", [...args, ...access], { env, stdio: "ignore" });
  await until(() => isOpen(port), 30_000);
  const store: UserStore = {
    fields: fieldsFor(port),
    secretField: "password",
    requests: [],
    failNext: 0,
    stalls: false,
    stalled: 0,
    sentBytes: 0,
    ...filesIn(folder),
    async close() {
      await kill(child);
      await front?.close();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  const start = protocol === "webdav" ? startFront : startTcpFront;
  const front = await start(port, store);
  return Object.assign(store, { fields: fieldsFor(front.port) });
}

/** How much of a file passes before its store stops to read. */
const stallBytes = 24 * 1024;

/** Passes bytes on. While the store stalls, only as many as are fewer than a file. */
function stallOf(store: Pick<UserStore, "stalls" | "stalled">): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const before = passed;
      passed = store.stalls || before > stallBytes ? before + chunk.length : 0;
      if (passed <= stallBytes) return done(null, chunk);
      // The rest never arrives; it is read, so that the end of the connection is noticed.
      if (before <= stallBytes) store.stalled++;
      done(null, chunk.subarray(0, Math.max(0, stallBytes - before)));
    },
  });
}

/** Passes connections on, and counts what the store sends. */
async function startTcpFront(
  port: number,
  store: Pick<UserStore, "failNext" | "sentBytes" | "stalls" | "stalled">,
) {
  const open = new Set<Socket>();
  const server = createTcpServer((client) => {
    if (store.failNext > 0) {
      store.failNext--;
      client.destroy();
      return;
    }
    const to = connect({ host: "127.0.0.1", port });
    to.on("data", (chunk: Buffer) => {
      store.sentBytes += chunk.length;
    });
    for (const [from, other] of [
      [client, to],
      [to, client],
    ] as const) {
      open.add(from);
      if (from === client) pipeline(from, stallOf(store), other, () => {});
      else from.pipe(other);
      from.on("error", () => other.destroy());
      from.on("close", () => {
        open.delete(from);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Passes requests on, except those that are to fail. */
async function startFront(
  port: number,
  store: Pick<UserStore, "requests" | "failNext" | "sentBytes" | "stalls" | "stalled">,
) {
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    store.requests.push(`${method} ${url}`);
    if (["GET", "PUT"].includes(method) && store.failNext > 0) {
      store.failNext--;
      return void request.resume().on("end", () => response.writeHead(500).end("Try again"));
    }
    const to = sendRequest({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        store.sentBytes += chunk.length;
      });
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    to.on("error", () => response.destroy());
    response.on("close", () => response.writableFinished || to.destroy());
    if (method === "PUT") pipeline(request, stallOf(store), to, () => {});
    else request.pipe(to);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function startS3Store(): Promise<UserStore> {
  const directory = await mkdtemp(join(tmpdir(), "mediamill-store-"));
  const bucket = "videos";
  const s3rver = await openS3rver(bucket, directory);
  const handle = s3rver.callback();
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    store.requests.push(`${method} ${new URL(url, "http://store").pathname}`);
    if (["GET", "PUT"].includes(method) && !url.includes("list-type") && store.failNext > 0) {
      store.failNext--;
      return void request.resume().on("end", () => response.writeHead(500).end());
    }
    // s3rver itself checks the signatures of headers.
    if (!headers.authorization && !isSignedUrl(request, "S3RVER")) {
      const error = "<Error><Code>SignatureDoesNotMatch</Code><Message>Wrong.</Message></Error>";
      return void request.resume().on("end", () => response.writeHead(403).end(error));
    }
    // s3rver does not know the header.
    const path = decodeURIComponent(new URL(url, "http://store").pathname).slice(bucket.length + 2);
    if (method === "PUT" && headers["if-none-match"] === "*" && known.has(path)) {
      return void request.resume().on("end", () => response.writeHead(412).end());
    }
    if (method === "PUT" && store.stalls) {
      store.stalled++;
      return void request.once("data", () => request.pause());
    }
    const write = response.write.bind(response) as (chunk: Buffer) => boolean;
    response.write = (chunk: Buffer) => {
      store.sentBytes += chunk.length;
      return write(chunk);
    };
    if (method === "PUT") response.on("finish", () => known.add(path));
    if (method === "DELETE") known.delete(path);
    handle(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const known = new Set<string>();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  const region = "us-east-1";
  const signer = createS3Signer({ bucket, region, endpoint, credentials: async () => key });
  const send = async (path: string, body: Uint8Array<ArrayBuffer> | Blob) => {
    const { url, headers } = await signer.put(path, {
      contentType: "application/octet-stream",
      overwrite: true,
    });
    const { status } = await fetch(url, { method: "PUT", headers, body });
    if (status !== 200) throw new Error(`the store responded with ${status}`);
  };
  const store: UserStore = {
    fields: {
      bucket,
      endpoint,
      access_key_id: key.accessKeyId,
      secret_access_key: key.secretAccessKey,
    },
    secretField: "secret_access_key",
    requests: [],
    failNext: 0,
    stalls: false,
    stalled: 0,
    sentBytes: 0,
    put: (path, content) => send(path, new Uint8Array(content)),
    putFile: async (path, file) => send(path, await openAsBlob(file)),
    async read(path) {
      const response = await fetch((await signer.get(path)).url);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
    list: async () => [...known],
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return store;
}

function filesIn(folder: string): Pick<UserStore, "put" | "putFile" | "read" | "list"> {
  const create = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  return {
    put: async (path, content) => writeFileSync(create(path), content),
    // All of them are in the folder for temporary files.
    putFile: async (path, file) => linkSync(file, create(path)),
    async read(path) {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file) : undefined;
    },
    list: () => listFilesBelow(folder),
  };
}
