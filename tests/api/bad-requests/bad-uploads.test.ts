import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import {
  badUploads,
  boundary,
  end,
  page,
  part,
  unusualFilenames,
} from "#tests/hostile/requests/bad-uploads.ts";
import { expectHealthyService, expectNoStaleFiles } from "#tests/hostile/stale-files.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { postRaw } from "#tests/service/http/raw-http.ts";
import { expectError } from "#tests/support/expect-error.ts";

const path = "/v1/document/html-to-pdf";
let client: Client;

beforeAll(async () => {
  client = await createClient();
});
afterAll(() => expectHealthyService());

const send = (body: string, type = boundary, headers: Record<string, string> = {}) =>
  client.request(path, { method: "POST", body, headers: { "content-type": type, ...headers } });

describe("rejects, and does not store, a form with", () => {
  it.each(badUploads)("$id", async ({ body, type, code }) => {
    await expectError(await send(body(), type), code);
  });

  afterAll(async () => {
    expect((await client.request("/v1/jobs")).headers.get("x-total-count")).toBe("0");
    await expectNoStaleFiles();
  });
});

describe("a client that sends too many bytes receives 413", () => {
  const tooManyBytes = 100_000_000 + 8_000_000;
  const head = part("file", "", "a.txt").slice(0, -2);

  it("for the declared length, even if it continues to send", async () => {
    const headers = { "Content-Type": boundary, "Content-Length": String(tooManyBytes) };
    const body = [head, ...Array<Buffer>(8).fill(Buffer.alloc(1e6, "a"))];
    // Its form has one file, so its limit is that of a file.
    const path = "/v1/pipeline/file-inspect";
    const response = await postRaw({ path, headers, body, client: await createClient("free") });
    expect([response.status, response.connectionBroken]).toEqual([413, false]);
  });

  it("as soon as it exceeds the limit, even if it continues to send", async () => {
    const headers = { "Content-Type": boundary, "Transfer-Encoding": "chunked" };
    const chunk = Buffer.concat([
      Buffer.from("f4240\r\n"),
      Buffer.alloc(1e6, "a"),
      Buffer.from("\r\n"),
    ]);
    const body = [
      `${head.length.toString(16)}\r\n${head}\r\n`,
      ...Array<Buffer>(tooManyBytes / 1e6).fill(chunk),
    ];
    const response = await postRaw({ path, headers, body, client: await createClient("free") });
    expect([response.status, response.connectionBroken]).toEqual([413, false]);
    await expectNoStaleFiles();
  });
});

describe("a client that disconnects leaves no data behind", () => {
  const head = part("file", "", "a.html").slice(0, -2);
  const bytes = randomBytes(3_000_000);

  it.each([
    ["in a body with a declared length", { "Content-Length": "50000000" }, [head, bytes]],
    [
      "in a chunk",
      { "Transfer-Encoding": "chunked" },
      [`${(head.length + bytes.length + 5).toString(16)}\r\n${head}`, bytes],
    ],
  ])("%s", async (_name, headers, body) => {
    const owner = await createClient();
    const type = { "Content-Type": boundary };
    const response = await postRaw({
      path,
      headers: { ...type, ...headers },
      body,
      after: "disconnect",
      client: owner,
    });
    expect(response.status).toBe(0);
    await expectNoStaleFiles();
    expect((await owner.request("/v1/jobs")).headers.get("x-total-count")).toBe("0");
    expect(await (await owner.request("/v1/usage")).json()).toMatchObject({
      gb_used: 0,
      total_jobs: 0,
    });
  });

  it("in an upload that it created, which can be sent again", async () => {
    const created = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const { id, url } = (await created.json()) as { id: string; url: string };
    const { pathname, search } = new URL(url);
    const headers = { "Content-Length": "5" };
    const target = `${pathname}${search}`;
    await postRaw({ method: "PUT", path: target, headers, body: ["he"], after: "disconnect" });
    await expectNoStaleFiles();
    expect((await client.postJson("/v1/pipeline/file-inspect", { input: id })).status).toBe(400);
    expect((await fetch(url, { method: "PUT", body: "hello" })).status).toBe(204);
    expect((await client.runUrl("pipeline/file-inspect", id)).status).toBe("completed");
  });
});

describe("a file name is used only for display", () => {
  it.each(unusualFilenames)("%j", async (given, shown) => {
    const body = part("file", page, given, "application/octet-stream") + end;
    const response = await send(body, boundary, { prefer: "wait=30" });
    const job = (await response.json()) as Job;
    expect([job.status, job.input.filename]).toEqual(["completed", shown]);
    expect(job.outputs[0]?.filename).toBe(`${shown.replace(/\.[^.]+$/, "")}.pdf`);
    const output = await fetch(job.outputs[0]?.url ?? "");
    expect(output.status).toBe(200);
    expect(output.headers.get("content-disposition")).toMatch(
      /^inline; filename="[^"\\]+"; filename\*=UTF-8''[\w.%!~-]+$/,
    );
  });
});

describe("accepts a form", () => {
  const file = part("file", page, "a.html");
  const fields = part("scale", "1.5") + part("metadata", '{"a": "ü"}') + part("landscape", "true");
  const params = { scale: 1.5, landscape: true };

  it.each([
    ["with the file first", file + fields + end],
    ["with the file last", fields + file + end],
    ["with text around its parts", `before\r\n${fields}${file}${end}after`],
    [
      "with a file of type application/octet-stream",
      fields + part("file", page, "a.html", "application/octet-stream") + end,
    ],
    ["with a URL instead of the file", part("input", "http://10.0.0.1/") + fields + end],
  ])("%s", async (_name, body) => {
    const response = await send(body);
    const job = (await response.json()) as Job;
    expect([response.status, job.params, job.metadata]).toEqual([
      202,
      expect.objectContaining(params),
      { a: "ü" },
    ]);
  });
});
