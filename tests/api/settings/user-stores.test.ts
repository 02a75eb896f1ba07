import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpStore } from "#lib/connections/stores/http-store.ts";
import { createS3Signer } from "#lib/connections/stores/s3.ts";
import type { StoreFile, UploadRecord } from "#lib/connections/stores/store.ts";
import { connectionTypes } from "#lib/db/schema/credentials/connections.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { testNetwork } from "#tests/servers/net.ts";
import { type RealStores, startRealStores } from "#tests/servers/storage/users/index.ts";
import { type Fields, noFaults, type RealStore } from "#tests/servers/storage/users/real-store.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { logFileOf, type Stack, startSmallStack } from "#tests/service/stack.ts";

/** Connections of every kind to real servers, which fail in every way that a store can fail. */

/** In three scripts, with spaces and with what has a meaning in URLs. */
const folder = "папка 東京";
const name = "фото #1 %20?+&=é.jpg";
const path = `${folder}/${name}`;

/** A client that keeps all responses. */
class RecordingClient extends ApiClient {
  readonly responses: string[] = [];

  override async request(path: string, init?: RequestInit): Promise<Response> {
    const response = await super.request(path, init);
    this.responses.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  }
}

let stores: RealStores;
let stack: Stack;
let client: RecordingClient;
beforeAll(async () => {
  stores = await startRealStores();
  stack = await startSmallStack({
    ...stores.moto.variables,
    FETCH_ALLOW: "connections=127.0.0.1:*",
    LOG_LEVEL: "debug",
  });
  client = new RecordingClient(stack.url, stack.apiKey);
});
afterAll(async () => {
  await stack?.stop();
  await stores?.close();
});

/** A connection that was created. */
interface Connected {
  readonly store: RealStore;
  readonly id: string;
  readonly name: string;
}

async function connect(store: RealStore, fields: Fields = {}, more: Fields = {}): Promise<string> {
  const body = { type: store.type, name: `My ${store.type}`, ...store.fields, ...fields, ...more };
  // A key without a passphrase in place of one that has it.
  if ("private_key" in fields) Reflect.deleteProperty(body, "passphrase");
  const response = await client.postJson("/v1/connections", body);
  const created = await response.json();
  if (response.status !== 201) throw new Error(JSON.stringify(created));
  await store.trust?.(created.external_id);
  return created.id;
}

async function test(id: string): Promise<{ ok: boolean; error?: string }> {
  return (await client.postJson(`/v1/connections/${id}/test`, {})).json();
}

const inspect = (id: string, file = path) =>
  client.runUrl("pipeline/file-inspect", `${id}:${file}`);

/** Reads a picture from a connection, and sends a smaller one to another. */
function resize(from: string, to: string, target: string): Promise<Job> {
  const output = { connection: to, path: target };
  return client.runUrl("image/resize", `${from}:${path}`, { width: 300, output, keep: true });
}

async function list(id: string): Promise<string[]> {
  const response = await client.request(`/v1/connections/${id}/files?prefix=`);
  const page = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(page));
  const { files } = page as { files: { path: string }[] };
  return files.map((file) => file.path).sort();
}

async function sha256OfOutput({ id }: Job): Promise<string> {
  const response = await client.request(`/v1/jobs/${id}/output`);
  return createHash("sha256")
    .update(Buffer.from(await response.arrayBuffer()))
    .digest("hex");
}

type Scenario = (connected: Connected) => Promise<void>;

/** In order: those after the first read what it has stored. */
const scenarios: Readonly<Record<string, Scenario>> = {
  async "keeps and gives a file with a name in any script"({ store, id }) {
    expect(await test(id)).toEqual({ ok: true });
    const photo = await readFile(join(projectFolder, "public/samples/inputs/photo.jpg"));
    const sent = await client.run(
      "image/resize",
      { bytes: photo, filename: name },
      { width: "500", keep: "true", output: JSON.stringify({ connection: id, path }) },
    );
    expect(sent).toMatchObject({ status: "completed", error: null });
    expect(sent.outputs[0]).toMatchObject({ exported: { connection: id, path } });
    expect(await list(id)).toEqual([path]);
    const sha256 = await sha256OfOutput(sent);
    expect(await inspect(id)).toMatchObject({ status: "completed", result: { sha256 } });
    const again = await resize(id, id, path);
    expect(again.error_code).toBe("export_failed");
    expect(again.error).toContain("`overwrite: true`");
    expect(await inspect(id)).toMatchObject({ result: { sha256 } });
    expect(store.sentBytes()).toBeGreaterThan(1000);
  },

  async "names a file that does not exist"({ id, name: connection }) {
    const { error, error_code } = await inspect(id, "none/at all.jpg");
    expect(error_code).toBe("fetch_failed");
    const said = `The file "none/at all.jpg" does not exist in the connection "${connection}". Check the path`;
    expect(error).toContain(said);
  },

  async "names a bucket, container or folder that does not exist"({ store }) {
    const { missingRoot } = store.others;
    const id = await connect(store, missingRoot, missingRoot ? {} : { prefix: "none" });
    const { error, error_code } = await inspect(id);
    expect(error_code).toBe("fetch_failed");
    const said = missingRoot
      ? /The \w+ ".*none.*" of the connection .* Create it/
      : /below its prefix "none"/;
    expect(error).toMatch(said);
    if (missingRoot) expect(await test(id)).toMatchObject({ ok: false });
  },

  async "refuses a wrong secret"({ store }) {
    const id = await connect(store, store.others.wrongSecret);
    const { ok, error } = await test(id);
    expect(ok).toBe(false);
    expect(error).toMatch(/refused .*credentials|refused the user name|cannot be assumed/s);
    const job = await inspect(id);
    expect(job.error_code).toBe("fetch_failed");
    expect(job.error).toMatch(/credentials of the connection "My|cannot be assumed/);
  },

  async "says that it may not be read"({ store, name: connection }) {
    const id = await connect(store, store.others.noReading);
    const { error, error_code } = await inspect(id);
    expect(error_code).toBe("fetch_failed");
    const said = `The store does not permit the connection "${connection}" to read the file "${path}"`;
    expect(error).toContain(said);
  },

  async "says that it may not be written to, and gets nothing"({ store, id }) {
    const readOnly = await connect(store, store.others.readOnly);
    expect(await test(readOnly)).toMatchObject({ ok: false });
    const reading = await connect(store, store.others.readOnly, { access: "read" });
    expect(await test(reading)).toEqual({ ok: true });
    const before = await list(id);
    const { error, error_code } = await resize(id, readOnly, "denied.jpg");
    expect(error_code).toBe("export_failed");
    expect(error).toMatch(/no permission|status 403/);
    expect(await list(id)).toEqual(before);
  },

  async "says that it has no space, and keeps nothing"({ store, id }) {
    const before = await list(id);
    const full = store.others.full ? await connect(store, store.others.full) : id;
    store.faults.isFull = true;
    expect(await test(full)).toMatchObject({
      ok: false,
      error: expect.stringContaining("no space left"),
    });
    store.faults.isFull = false;
    expect(await list(id)).toEqual(before);
  },

  async "is asked again after two failures, for an input and for an output"({ store, id }) {
    store.faults.failNext = 2;
    expect(await inspect(id)).toMatchObject({ status: "completed" });
    expect(store.faults.failNext).toBe(0);
    const moved = await readOnlyOf(store);
    const running = resize(moved, id, "after failures.jpg");
    store.faults.failNext = 2;
    expect(await running).toMatchObject({ status: "completed" });
    expect(store.faults.failNext).toBe(0);
  },

  async "never leaves a file that was cut in the middle under its name"({ store, id }) {
    store.faults.cutGets = 1;
    const sent = await resize(id, id, "cut.jpg");
    expect(sent).toMatchObject({ status: "completed" });
    expect(store.faults.cutGets).toBe(0);
    store.faults.cutPuts = 1;
    const other = await resize(id, id, "cut twice.jpg");
    expect(other).toMatchObject({ status: "completed" });
    expect(store.faults.cutPuts).toBe(0);
    const sha256 = await sha256OfOutput(other);
    expect(await inspect(id, "cut twice.jpg")).toMatchObject({ result: { sha256 } });
    expect(await list(id)).toEqual(["after failures.jpg", "cut twice.jpg", "cut.jpg", path].sort());
  },

  async "ends a job whose store hangs"({ store, id }) {
    store.faults.hangs = true;
    const { error_code } = await inspect(id);
    store.faults.hangs = false;
    expect(error_code).toBe("fetch_timeout");
  },

  async "does not leave its prefix"({ store, id }) {
    const below = await connect(store, {}, { prefix: folder });
    expect(await list(below)).toEqual([name]);
    const outside = { input: `${below}:../cut.jpg` };
    const response = await client.postJson("/v1/pipeline/file-inspect", outside);
    expect(response.status).toBe(400);
    const output = { connection: below, path: "../outside.jpg" };
    const body = { input: `${below}:${name}`, width: 10, output };
    expect((await client.postJson("/v1/image/resize", body)).status).toBe(400);
    expect(await list(id)).not.toContain("outside.jpg");
  },

  async "does not lead to a private address"({ store }) {
    const { privateAddress } = store.others;
    // The provider of a role decides its address.
    if (!privateAddress) return;
    const id = await connect(store, privateAddress);
    const { ok, error } = await test(id);
    expect([ok, error]).toEqual([false, expect.stringContaining("not allowed")]);
  },
};

/** A connection to the same store that no fault of this one's test concerns. */
const readOnlyOf = (store: RealStore) => connect(store, store.others.readOnly);

describe.concurrent.each(connectionTypes)("a connection of the kind %s", (type) => {
  let connected: Connected;
  beforeAll(async () => {
    const store = stores.byKind[type];
    connected = { store, id: await connect(store), name: `My ${type}` };
  });

  for (const [what, scenario] of Object.entries(scenarios)) {
    it(what, { concurrent: false }, async () => {
      // Each kind of store would be another account's.
      await withServiceDatabase((sql) => sql`delete from attempt_limits`, stack.dataDir);
      try {
        await scenario(connected);
      } finally {
        Object.assign(connected.store.faults, noFaults());
      }
    });
  }
});

/** A bucket that takes so little at once that files are sent in parts. */
function openBucket(fields: Fields): HttpStore {
  const { bucket, endpoint, access_key_id, secret_access_key } = {
    ...stores.moto.s3.fields,
    ...fields,
  };
  const credentials = { accessKeyId: `${access_key_id}`, secretAccessKey: `${secret_access_key}` };
  const signer = createS3Signer({
    bucket: `${bucket}`,
    endpoint: `${endpoint}`,
    region: "us-east-1",
    credentials: async () => credentials,
  });
  const { signal } = new AbortController();
  const slow = { headersMs: 10_000, chunkMs: 10_000 };
  return new HttpStore(
    { ...signer, maxPutBytes: 1 },
    testNetwork(["127.0.0.1:*"], {}, slow),
    signal,
  );
}

const content = Buffer.from("the content of a file");

function fileInParts(path: string): StoreFile & { readonly upload: UploadRecord } {
  let uploadId: string | undefined;
  return {
    path,
    bytes: content.length,
    contentType: "text/plain",
    overwrite: true,
    isRepeated: false,
    since: new Date(),
    attemptName: "attempt",
    upload: {
      read: async () => uploadId,
      async write(id) {
        uploadId = id;
      },
      async clear() {
        uploadId = undefined;
      },
    },
    open: async () => Readable.from([content]),
    signal: new AbortController().signal,
    onProgress: () => {},
  };
}

it.each([
  ["may abort it", {}, 0],
  ["may not abort it", () => stores.moto.s3.others.noReading, 1],
] as const)(
  "the upload of an attempt that has died is aborted by the next, which %s",
  async (_, of, left) => {
    const bucket = openBucket(typeof of === "function" ? of() : of);
    const file = fileInParts("in parts.txt");
    // As if its runner had died: it never gets further, and ends nothing.
    const { promise: never } = Promise.withResolvers<Readable>();
    void bucket.put({ ...file, open: () => never });
    await expect.poll(() => file.upload.read()).toBeDefined();
    expect(await stores.moto.listUploads()).toHaveLength(1);
    expect(await bucket.put({ ...file, isRepeated: true })).toHaveProperty("etag");
    expect(await stores.moto.listUploads()).toHaveLength(left);
    expect(await file.upload.read()).toBeUndefined();
  },
);

it("shows the secrets of connections nowhere", async () => {
  const secrets = Object.values(stores.byKind).flatMap((store) => store.secrets);
  expect(secrets.length).toBeGreaterThan(30);
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(15);
  const texts = new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]));
  const tables = await withServiceDatabase(dumpTables, stack.dataDir);
  const seen = { tables, responses: client.responses.join("\n"), log: stack.output() };
  for (const text of texts) {
    for (const [where, all] of Object.entries(seen)) {
      if (all.includes(text)) throw new Error(`${where} have the secret ${text.slice(0, 8)}…`);
    }
  }
  expect(filesWith([...texts])).toEqual([]);
  // What is no secret is found by the same search.
  expect(tables).toContain("My webdav");
  expect(filesWith(["My webdav"])).not.toEqual([]);
});

/** All rows of all tables, as text. */
async function dumpTables(sql: postgres.Sql): Promise<string> {
  const tables = await sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`;
  const rows = await Promise.all(
    tables.map(({ name }) => sql.unsafe(`select one::text as line from ${name} one`)),
  );
  return rows.flatMap((lines) => lines.map(({ line }) => line)).join("\n");
}

/** The files of the service, those of its database included, that have one of the texts. */
function filesWith(texts: readonly string[]): string[] {
  const search = ["-r", "-l", "-a", "-F", "-f", "-", stack.dataDir, logFileOf(stack.dataDir)];
  const { stdout, status } = spawnSync("grep", search, {
    input: texts.join("\n"),
    encoding: "utf8",
  });
  if (status !== 0 && status !== 1) throw new Error(`grep has ended with ${status}`);
  return stdout.split("\n").filter((line) => line !== "");
}
