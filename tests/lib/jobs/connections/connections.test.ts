import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listFiles } from "#lib/connections/list-files.ts";
import {
  type ConnectionOwner,
  changeConnection,
  createConnection,
  type NewConnection,
  readConnection,
  removeConnection,
} from "#lib/connections/manage.ts";
import { testConnection } from "#lib/connections/test-connection.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { env } from "#lib/env.ts";
import { wavHeader } from "#lib/formats/wav/wav-header.ts";
import { createId } from "#lib/ids.ts";
import { recordUploadOf } from "#lib/jobs/connections/started-uploads.ts";
import { removeUnexported } from "#lib/jobs/run/export.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { inputFolder } from "#lib/jobs/storage-keys.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import {
  startS3Store,
  startSftpStore,
  startWebdavStore,
  type UserStore,
} from "#tests/servers/storage/user-stores.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";

const photo = readFileSync(join(projectFolder, "public/samples/inputs/photo.jpg"));
const params = resize.params.parse({ width: 40 });

let account: Account;
let stopRunner: (() => Promise<void>) | undefined;

beforeEach(async () => {
  account = await makeAccount();
});

afterEach(async () => {
  await stopRunner?.();
  stopRunner = undefined;
  await db().execute(sql`delete from jobs`);
});

const base = { name: "Files", prefix: "in use", access: "both", operations: null } as const;

const owner = (): ConnectionOwner => account;

function connect(type: NewConnection["type"], more: Partial<NewConnection>) {
  return createConnection(owner(), { ...base, type, fields: {}, ...more });
}

interface Target {
  readonly path?: string;
  readonly overwrite?: boolean;
}

async function runFrom(
  id: string,
  input: string,
  { path = "out/{stem}-{n}.{ext}", overwrite = false }: Target = {},
) {
  if (!stopRunner) ({ stop: stopRunner } = await startMediaRunner(shortTimes));
  const target = { urls: [], headers: {}, keep: false, connection: { id, path, overwrite } };
  const job = await acceptJob(account, `${id}:${input}`, {
    operation: "image/resize",
    params,
    target,
  });
  return waitForJobState(job.id, undefined, 60_000);
}

async function isStored(key: string): Promise<boolean> {
  try {
    await storage().readBytes(key);
    return true;
  } catch (error) {
    if (error instanceof FileGoneError) return false;
    throw error;
  }
}

const hasInputs = (id: string) => existsSync(join(env.DATA_DIR, "storage", inputFolder(id)));

async function inspect(input: string) {
  if (!stopRunner) ({ stop: stopRunner } = await startMediaRunner(shortTimes));
  const { id } = await acceptJob(account, input);
  return waitForJobState(id, undefined, 60_000);
}

/** A key in OpenSSH's format with more rounds than a process can do. */
function slowKey(): string {
  const block = (content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, content]);
  };
  const options = Buffer.concat([block(Buffer.alloc(16)), Buffer.from("ffffffff", "hex")]);
  const names = ["aes256-ctr", "bcrypt"].map((name) => block(Buffer.from(name)));
  const body = Buffer.concat([Buffer.from("openssh-key-v1\0"), ...names, block(options)]);
  const line = body.toString("base64");
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${line}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

/** A WAV file with two channels, without a sound. */
function makeSilentWav(seconds: number): Buffer {
  const frames = seconds * 44_100;
  const header = wavHeader({ channels: 2, sampleRate: 44_100, frames });
  return Buffer.concat([header, Buffer.alloc(frames * 4)]);
}

describe.each([
  ["s3", startS3Store],
  ["webdav", startWebdavStore],
  ["sftp", startSftpStore],
] as const)("%s", (type, start) => {
  let store: UserStore;
  const name = "фото #1 %20?+&.jpg";

  beforeAll(async () => {
    store = await start();
    await store.put(`in use/${name}`, photo);
    await store.put("elsewhere.jpg", photo);
  });
  afterAll(() => store.close());

  it("gives the input and gets the output of a job, and nothing else", async () => {
    const { id } = await connect(type, { fields: store.fields });
    expect(await testConnection(owner(), id)).toEqual({ ok: true });
    const row = await runFrom(id, name);
    expect(row).toMatchObject({ status: "completed", attempts: 1, error: null });
    const [output] = serializeJob(row).outputs;
    await expect
      .poll(async () => (await findJobById(db(), row.id))?.source)
      .toEqual({
        kind: "url",
        url: `${id}:${name}`,
      });
    await expect.poll(() => hasInputs(row.id)).toBe(false);
    const path = "out/фото #1 %20?+&-resize-1.jpg";
    expect(output).toMatchObject({ width: 40, exported: { connection: id, path } });
    const sent = await store.read(`in use/${path}`);
    expect(sent?.length).toBe(output?.bytes);
    expect([...(await store.list())].sort()).toEqual(
      ["elsewhere.jpg", `in use/${name}`, `in use/${path}`].sort(),
    );
    // The files are removed after the job's end is stored.
    await expect.poll(() => isStored(row.outputs[0]?.key ?? "")).toBe(false);
    const rows = await db().execute(sql`select * from jobs where id = ${row.id}`);
    const text = JSON.stringify([serializeJob(row), ...rows]);
    expect(text).not.toContain("Signature=");
    expect(text).not.toMatch(/canary|Basic /);
    const again = await runFrom(id, name);
    expect(again).toMatchObject({ status: "failed", errorCode: "export_failed" });
    expect(again.error).toContain("`overwrite: true`");
    expect(await store.read(`in use/${path}`)).toEqual(sent);
    expect(await runFrom(id, name, { overwrite: true })).toMatchObject({ status: "completed" });
  });

  it("is read in part by an operation that needs no more", async () => {
    const { id } = await connect(type, { fields: store.fields, prefix: "" });
    await store.put("long.wav", makeSilentWav(120));
    const before = store.sentBytes;
    const row = await inspect(`${id}:long.wav`);
    const input = { filename: "long.wav", url: `${id}:long.wav` };
    expect(row).toMatchObject({ error: null, result: { duration: 120 }, input });
    expect(JSON.stringify(row.source)).toContain(`${id}:long.wav`);
    expect(JSON.stringify(row.source)).not.toMatch(/Signature|http/);
    expect(store.sentBytes - before).toBeGreaterThan(1000);
    expect(store.sentBytes - before).toBeLessThan(10e6);
  });

  it("lists the files below the prefix, page by page", async () => {
    const { id } = await connect(type, { fields: store.fields, prefix: "list" });
    for (const one of ["b.txt", "a/2.txt", "a/1.txt"]) {
      await store.put(`list/${one}`, Buffer.from(one));
    }
    const below = await listFiles(owner(), id, { prefix: "a/", limit: 9 });
    expect(below.files.map(({ path }) => path)).toEqual(["a/1.txt", "a/2.txt"]);
    const flat = await listFiles(owner(), id, { prefix: "", limit: 9, isFlat: true });
    expect(flat).toMatchObject({ folders: ["a/"], files: [{ path: "b.txt" }], nextCursor: null });
    const outside = listFiles(owner(), id, { prefix: "../", limit: 9 });
    await expect(outside).rejects.toThrow("`prefix` must not have . or .. as a folder.");
    // s3rver fails when a list has another page.
    if (type === "s3") return;
    const first = await listFiles(owner(), id, { prefix: "", limit: 2 });
    expect(first.files).toMatchObject([
      { path: "a/1.txt", bytes: 7 },
      { path: "a/2.txt", bytes: 7 },
    ]);
    const cursor = first.nextCursor ?? undefined;
    const second = await listFiles(owner(), id, { prefix: "", limit: 2, cursor });
    expect(second).toMatchObject({ files: [{ path: "b.txt" }], nextCursor: null });
    const page = await listFiles(owner(), id, { prefix: "", limit: 1, isFlat: true });
    expect(page).toMatchObject({ files: [], folders: ["a/"], nextCursor: "list/a/" });
    const next = { prefix: "", limit: 1, cursor: "list/a/", isFlat: true };
    expect(await listFiles(owner(), id, next)).toMatchObject({
      files: [{ path: "b.txt" }],
      folders: [],
      nextCursor: null,
    });
  });

  it("says what is wrong with a secret, and with a file that does not exist", async () => {
    const wrong = { ...store.fields, [store.secretField]: "wrong-canary-77" };
    const { id } = await connect(type, { fields: wrong });
    const { ok, error } = await testConnection(owner(), id);
    expect(ok).toBe(false);
    expect(error).toMatch(/refused/);
    expect((await readConnection(owner(), id)).testError).toBe(error);
    const failed = await runFrom(id, name);
    expect(failed).toMatchObject({ status: "failed", errorCode: "fetch_failed" });
    expect(failed.error).not.toContain("canary");
    await changeConnection(owner(), id, {
      fields: { [store.secretField]: store.fields[store.secretField] },
    });
    expect(await testConnection(owner(), id)).toEqual({ ok: true });
    const missing = await runFrom(id, "missing.jpg");
    expect(missing).toMatchObject({ status: "failed", errorCode: "fetch_failed" });
    expect(missing.error).toContain(
      `The file "missing.jpg" does not exist in the connection "Files"`,
    );
    expect(missing.error).toContain("Check the path");
  });

  it("may be only for reading or writing, for some operations, and for no other path", async () => {
    // With one file, because s3rver fails when a list has another page.
    await store.put("read only/photo.jpg", photo);
    const read = await connect(type, { fields: store.fields, access: "read", prefix: "read only" });
    expect(await testConnection(owner(), read.id)).toEqual({ ok: true });
    expect(await runFrom(read.id, "photo.jpg")).toMatchObject({ errorCode: "export_failed" });
    const other = await connect(type, { fields: store.fields, operations: ["image/crop"] });
    const refused = await runFrom(other.id, name);
    expect(refused).toMatchObject({ errorCode: "fetch_failed" });
    expect(refused.error).toContain("not for image/resize");
    const outside = await runFrom(read.id, "../elsewhere.jpg");
    expect(outside).toMatchObject({ errorCode: "fetch_failed" });
    expect(outside.error).toContain("as a folder");
    await removeConnection(owner(), read.id);
    expect((await runFrom(read.id, name)).error).toContain("deleted");
  });
});

it("another key of an SFTP host is refused until it is confirmed", async () => {
  const store = await startSftpStore();
  const wrong = `SHA256:${"A".repeat(43)}`;
  const { id } = await connect("sftp", { fields: { ...store.fields, host_key: wrong } });
  const { ok, error = "" } = await testConnection(owner(), id);
  expect(ok).toBe(false);
  const found = /SHA256:[A-Za-z0-9+/]{43}/.exec(error)?.[0];
  expect(found).not.toBe(wrong);
  await changeConnection(owner(), id, { fields: { host_key: found } });
  expect(await testConnection(owner(), id)).toEqual({ ok: true });
  const fresh = await connect("sftp", { fields: store.fields });
  await testConnection(owner(), fresh.id);
  expect((await readConnection(owner(), fresh.id)).config.host_key).toBe(found);
  await store.close();
});

it.each([
  ["a key that takes minutes to decrypt", { private_key: slowKey(), passphrase: "a" }, "rounds"],
  ["a key that is cut off", { private_key: slowKey().slice(0, 60) }, "whole private key"],
  ["a host with a port", { host: "a:80", password: "b" }, "name or the address"],
  ["no host", { host: undefined, password: "b" }, "`host` is required."],
  ["a host that is null", { host: null, password: "b" }, "`host` must be a text."],
  ["a host key that is null", { host_key: null, password: "b" }, "must be a fingerprint such as"],
])("%s is refused", async (_, fields, message) => {
  const given = { host: "example.com", username: "a", ...fields };
  await expect(connect("sftp", { fields: given })).rejects.toThrow(message);
});

it("a bucket whose sessions the library would ask for is refused", async () => {
  const fields = { bucket: "aa--x-s3", access_key_id: "a", secret_access_key: "b" };
  await expect(connect("s3", { fields })).rejects.toThrow("directory bucket");
});

it("a connection with another address needs its password again", async () => {
  const fields = { url: "https://one.example.com", username: "a", password: "b" };
  const { id } = await connect("webdav", { fields });
  const moved = changeConnection(owner(), id, { fields: { url: "https://two.example.com" } });
  await expect(moved).rejects.toThrow("`password` is required.");
});

it("an upload in parts that a job has left is aborted at the job's end", async () => {
  const store = await startS3Store();
  const { id } = await connect("s3", { fields: store.fields });
  const key = `outputs/${createId("job")}/1/large.bin`;
  const output = { key, filename: "large.bin", contentType: "video/mp4", bytes: 6 * 1024 ** 3 };
  const target = {
    urls: [],
    keep: false,
    connection: { id, path: "{filename}", overwrite: false },
  };
  const job = await acceptJob(account, `${id}:large.bin`, { operation: "image/resize", params });
  const unexported = {
    outputs: [output],
    result: null,
    warnings: [],
    steps: null,
    bytes: 1,
    networkBytes: 0,
  };
  await recordUploadOf(output, 0).write("upload-1");
  await removeUnexported({ ...job, target, unexported });
  expect(store.requests).toEqual(["DELETE /videos/in%20use/large.bin"]);
  expect(await recordUploadOf(output, 0).read()).toBeUndefined();
  await store.close();
});

it("tests and lists of an account are limited, also while they fail", async () => {
  const fields = { url: "http://10.0.0.1/dav", username: "a", password: "b" };
  const { id } = await connect("webdav", { fields });
  const tests = Array.from({ length: 80 }, () => testConnection(owner(), id));
  const results = await Promise.allSettled(tests);
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ reason: { code: "rate_limited" } });
  await expect(listFiles(owner(), id, { prefix: "", limit: 9 })).rejects.toThrow("Try again in");
  // Another account has a limit of its own.
  const other = await makeAccount();
  await expect(testConnection(other, id)).rejects.toThrow("No connection");
});
