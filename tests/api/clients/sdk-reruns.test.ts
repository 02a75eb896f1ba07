import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { createClient } from "#tests/service/http/client.ts";

/** Calls of the TypeScript SDK with an idempotency key against the service, made again in another process. */

const { url: baseUrl } = inject("service");
let apiKey: string;
let folder: string;

beforeAll(async () => {
  ({ key: apiKey } = await createClient());
  folder = await mkdtemp(join(tmpdir(), "mediamill-reruns-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Input = string | { readonly file: Blob; readonly filename: string };

/** Runs an operation with a client of its own. `requests` gets what it sends to the URLs of uploads. */
async function run(idempotencyKey: string, input: Input, requests: string[] = []): Promise<string> {
  const send: typeof fetch = (url, init) => {
    if (String(url).includes("/uploads/upload_")) requests.push(init?.method ?? "GET");
    return fetch(url, init);
  };
  const mm = new Mediamill({ apiKey, baseUrl, fetch: send });
  const options = { idempotencyKey, onProgress: () => {} };
  return (await mm.run("pipeline/file-inspect", { input }, options)).id;
}

async function writeLarge(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "large");
  await truncate(path, 50_000_000);
  return path;
}

const small = (text: string) => ({ file: new Blob([text]), filename: "a.txt" });

it.each([
  ["a small file", async () => small("content"), ["PUT"]],
  ["a large file", () => writeLarge("same.bin"), ["HEAD", "PATCH"]],
])("the job of %s is found, and the file is not sent again", async (name, make, sent) => {
  const input = await make();
  const first: string[] = [];
  const id = await run(name, input, first);
  expect(first).toEqual(sent);
  const second: string[] = [];
  expect(await run(name, input, second)).toBe(id);
  // The state of its upload.
  expect(second.filter((method) => method !== "GET")).toEqual([]);
});

it("a file with other content is rejected, although its name and size are the same", async () => {
  await run("changed", small("content"));
  await expect(run("changed", small("CONTENT"))).rejects.toMatchObject({
    status: 422,
    code: "idempotency_conflict",
  });
});

it("an upload that has expired before its job was created is replaced", async () => {
  const mm = new Mediamill({
    apiKey,
    baseUrl,
    maxRetries: 0,
    fetch: (url, init) =>
      String(url).endsWith("file-inspect") ? Promise.reject(new Error("died")) : fetch(url, init),
  });
  const options = { idempotencyKey: "expired", onProgress: () => {} };
  const input = small("expired");
  const died = mm.run("pipeline/file-inspect", { input }, options);
  await expect(died).rejects.toMatchObject({ name: "ConnectionError" });
  await withServiceDatabase(
    (sql) => sql`update uploads set expires_at = now() where bytes = ${input.file.size}
      and filename = 'a.txt' and received_at is not null`,
  );
  const id = await run("expired", input);
  expect(await run("expired", input)).toBe(id);
});
