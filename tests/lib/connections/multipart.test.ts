import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { putToStore, sendToStore } from "#lib/connections/stores/http-store.ts";
import {
  type MultipartTransport,
  partSize,
  putInParts,
} from "#lib/connections/stores/multipart.ts";
import { createS3Signer } from "#lib/connections/stores/s3.ts";
import type { StoreFile } from "#lib/connections/stores/store.ts";
import { createGuard } from "#lib/net/guard.ts";
import { type Network, networkFor } from "#lib/net/network.ts";
import { startS3Store, type UserStore } from "#tests/servers/storage/user-stores.ts";

const mebibyte = 2 ** 20;
/** Two whole parts and a short one, of parts that are smaller than S3's. */
const content = randomBytes(2 * mebibyte + 12_345);
let store: UserStore;

beforeAll(async () => {
  store = await startS3Store();
});
afterAll(() => store.close());

function networkTo(host: string): Network {
  const guard = createGuard({ allow: [host] });
  return { ...networkFor("connections"), guard };
}

/** Sends a file in small parts. */
function put(file: StoreFile) {
  const { bucket, endpoint, access_key_id, secret_access_key } = store.fields;
  const key = { accessKeyId: String(access_key_id), secretAccessKey: String(secret_access_key) };
  const { multipart } = createS3Signer({
    bucket: String(bucket),
    endpoint: String(endpoint),
    region: "us-east-1",
    credentials: async () => key,
  });
  if (!multipart) throw new Error("the signer has no uploads in parts");
  const network = networkTo(`127.0.0.1:${new URL(String(endpoint)).port}`);
  const { signal } = new AbortController();
  const transport: MultipartTransport = {
    send: (method, request) => sendToStore(method, request, { maxBytes: 16_384, network, signal }),
    put: (part) => putToStore(part, network),
  };
  return putInParts(file, multipart, transport, mebibyte);
}

/** A store that takes all parts, and refuses to make the file of them. */
function putRefused(file: StoreFile, status: number, code: string) {
  const sign = async () => ({ url: "http://store.example/file", headers: {} });
  const signer = { create: sign, part: sign, complete: sign, abort: sign };
  const sent: string[] = [];
  const transport: MultipartTransport = {
    async send(method, { body }) {
      sent.push(method);
      const isComplete = body !== undefined;
      const bodyStart = isComplete
        ? `<Error><Code>${code}</Code></Error>`
        : "<Result><UploadId>1</UploadId></Result>";
      return { status: isComplete ? status : 200, headers: {}, bodyStart };
    },
    put: async () => ({
      status: 200,
      etag: "0",
      md5: "0",
      bodyStart: "",
      isEncrypted: true,
      isWhole: true,
    }),
  };
  return { result: putInParts(file, signer, transport, mebibyte), sent };
}

const fileAt = (path: string, more: Partial<StoreFile> = {}): StoreFile => ({
  path,
  bytes: content.length,
  contentType: "video/mp4",
  overwrite: true,
  isRepeated: false,
  since: new Date(),
  attemptName: "job_1-1",
  open: async (part) => Readable.from([content.subarray(part?.start, part?.end)]),
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
});

it.each([
  [5 * 1024 * mebibyte + 1, 64 * mebibyte],
  [640_000 * mebibyte, 64 * mebibyte],
  [640_001 * mebibyte, 65 * mebibyte],
  [5 * 1024 ** 4, 525 * mebibyte],
])("a file of %d bytes has parts of %d bytes, and at most 10,000", (bytes, size) => {
  expect(partSize(bytes)).toBe(size);
  expect(Math.ceil(bytes / size)).toBeLessThanOrEqual(10_000);
});

it("a file that is too large for one request is sent in parts, of which one may fail", async () => {
  store.failNext = 1;
  const seen: number[] = [];
  const path = "фото #1 %20?.mp4";
  const { etag } = await put(fileAt(path, { onProgress: (bytes) => seen.push(bytes) }));
  expect(etag).toMatch(/^[0-9a-f]{32}/);
  // Three parts, of which one is sent twice.
  expect(store.requests.filter((line) => line.startsWith("PUT"))).toHaveLength(4);
  expect(Math.max(...seen)).toBe(content.length);
  const digest = (bytes: Buffer | undefined) =>
    createHash("sha256")
      .update(bytes ?? "")
      .digest("hex");
  expect(digest(await store.read(path))).toBe(digest(content));
});

it("an upload that fails is aborted, and leaves no file", async () => {
  store.failNext = 3;
  const sent = put(fileAt("failed.mp4"));
  await expect(sent).rejects.toMatchObject({ code: "export_failed" });
  expect(store.requests.at(-1)).toMatch(/^DELETE .*failed.mp4$/);
  expect(await store.read("failed.mp4")).toBeUndefined();
});

it.each([
  [409, "OperationAborted"],
  [412, "PreconditionFailed"],
])(
  "status %d for the last request is a failure, unless a file must not be replaced",
  async (status, code) => {
    const replacing = putRefused(fileAt("a.mp4"), status, code);
    await expect(replacing.result).rejects.toThrow(code);
    expect(replacing.sent.at(-1)).toBe("DELETE");
    const keeping = putRefused(fileAt("a.mp4", { overwrite: false }), status, code);
    await expect(keeping.result).resolves.toMatchObject({ status });
    expect(keeping.sent.at(-1)).toBe("DELETE");
  },
);
