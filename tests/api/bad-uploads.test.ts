import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { badUploads, boundary, end, unusualFilenames, page, part } from "#tests/hostile/bad-uploads.ts";
import { expectNoStaleFiles, expectHealthyService } from "#tests/hostile/stale-files.ts";
import { type Client, createClient } from "#tests/service/client.ts";
import { postRaw } from "#tests/service/raw-http.ts";
import { expectError } from "#tests/support/expect-error.ts";

const path = "/v1/document/html-to-pdf";
let client: Client;

beforeAll(async () => {
  client = await createClient();
});
afterAll(() => expectHealthyService());

const send = (body: string, type = boundary, headers: Record<string, string> = {}) =>
  client.request(path, { method: "POST", body, headers: { "content-type": type, ...headers } });

describe("a form is refused, and nothing of it is kept, that has", () => {
  it.each(badUploads)("$id", async ({ body, type, code }) => {
    await expectError(await send(body(), type), code);
  });

  afterAll(async () => {
    expect((await client.request("/v1/jobs")).headers.get("x-total-count")).toBe("0");
    await expectNoStaleFiles();
  });
});

describe("a client that sends too much reads why", () => {
  const tooMuch = 100_000_000 + 8_000_000;
  const head = part("file", "", "a.txt").slice(0, -2);

  it("from a length that is declared, though it sends on", async () => {
    const headers = { "Content-Type": boundary, "Content-Length": String(tooMuch) };
    const body = [head, ...Array<Buffer>(8).fill(Buffer.alloc(1e6, "a"))];
    const answer = await postRaw({ path, headers, body, client: await createClient("free") });
    expect([answer.status, answer.connectionBroken]).toEqual([413, false]);
  });

  it("as soon as the limit is passed, though it sends on", async () => {
    const headers = { "Content-Type": boundary, "Transfer-Encoding": "chunked" };
    const chunk = Buffer.concat([
      Buffer.from("f4240\r\n"),
      Buffer.alloc(1e6, "a"),
      Buffer.from("\r\n"),
    ]);
    const body = [
      `${head.length.toString(16)}\r\n${head}\r\n`,
      ...Array<Buffer>(tooMuch / 1e6).fill(chunk),
    ];
    const answer = await postRaw({ path, headers, body, client: await createClient("free") });
    expect([answer.status, answer.connectionBroken]).toEqual([413, false]);
    await expectNoStaleFiles();
  });
});

describe("a client that is gone half-way leaves nothing", () => {
  const head = part("file", "", "a.html").slice(0, -2);
  const bytes = randomBytes(3_000_000);

  it.each([
    ["of a declared length", { "Content-Length": "50000000" }, [head, bytes]],
    [
      "of a chunk",
      { "Transfer-Encoding": "chunked" },
      [`${(head.length + bytes.length + 5).toString(16)}\r\n${head}`, bytes],
    ],
  ])("%s", async (_name, headers, body) => {
    const owner = await createClient();
    const type = { "Content-Type": boundary };
    const answer = await postRaw({
      path,
      headers: { ...type, ...headers },
      body,
      after: "disconnect",
      client: owner,
    });
    expect(answer.status).toBe(0);
    await expectNoStaleFiles();
    expect((await owner.request("/v1/jobs")).headers.get("x-total-count")).toBe("0");
    expect(await (await owner.request("/v1/usage")).json()).toMatchObject({
      gb_used: 0,
      total_jobs: 0,
    });
  });

  it("of an announced upload, which may be sent again", async () => {
    const announced = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const { id, url } = (await announced.json()) as { id: string; url: string };
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

describe("a file's name is for people only", () => {
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

describe("a form is taken", () => {
  const file = part("file", page, "a.html");
  const fields = part("scale", "1.5") + part("metadata", '{"a": "ü"}') + part("landscape", "true");
  const params = { scale: 1.5, landscape: true };

  it.each([
    ["with the file first", file + fields + end],
    ["with the file last", fields + file + end],
    ["with text around its parts", `before\r\n${fields}${file}${end}after`],
    [
      "with the file's content in bytes alone",
      fields + part("file", page, "a.html", "application/octet-stream") + end,
    ],
    ["with an address in place of the file", part("input", "http://10.0.0.1/") + fields + end],
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
