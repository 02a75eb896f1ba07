import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { copyDatabase } from "#tests/service/database/cluster-template.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, type Stack, startSmallStack } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { withoutSandbox } from "#tests/support/sandbox/without-namespaces.ts";

/** A public service on a machine with neither bubblewrap nor Landlock, and SANDBOX=auto. */

const host = "media.example";
const metricsToken = "token-of-the-operator";
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const html = "<!doctype html><title>a</title><p>a";
const mail =
  "From: a@b.example\r\nTo: c@d.example\r\nSubject: s\r\nDate: Mon, 1 Jan 2024 00:00:00 +0000\r\n\r\ntext\r\n";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let folder: string;
let database: Awaited<ReturnType<typeof startDatabase>>;
let files: Server;
let filesUrl: string;
let stack: Stack;
let client: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-without-sandbox-"));
  await copyDatabase(folder);
  database = await startDatabase(folder);
  const port = await freePort();
  filesUrl = `http://127.0.0.1:${port}`;
  files = createServer((_request, response) => response.end(svg)).listen(port, "127.0.0.1");
  const variables = {
    DATABASE_URL: database.url,
    APP_URL: `https://${host}`,
    SANDBOX: "auto",
    METRICS_TOKEN: metricsToken,
    MEDIA_ENGINES: "all",
    FETCH_ALLOW: `127.0.0.1:${port}`,
  };
  stack = await startSmallStack(variables, () => withoutSandbox);
  client = new ApiClient(stack.url, stack.apiKey);
});

afterAll(async () => {
  const code = await stack?.stop();
  files?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
  expect(code, stack?.output().slice(-4000)).toBe(0);
});

it("names the secrets, the network and what is off at the start", async () => {
  expect(stack.output()).toMatch(/engines run without a sandbox/);
  expect(stack.output()).toMatch(/SECRET, the database.*every server/s);
  expect(stack.output()).toMatch(/Sign-up and runs without an account are off/);
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const readiness = await fetch(`${stack.url}/readyz`, { headers });
  expect(await readiness.json()).toMatchObject({ sandbox: "off" });
});

it.each([
  ["document/html-to-pdf", "a.html", html, "document/html-to-pdf"],
  ["document/email-to-pdf", "a.eml", mail, "document/email-to-pdf"],
  ["document/doc-to-pdf", "a.rtf", "{\\rtf1 a}", "document/doc-to-pdf"],
  ["pipeline/thumbnail", "a.html", html, "pipeline/thumbnail of HTML"],
  ["image/resize", "a.svg", svg, "image/resize of SVG"],
])("%s of %s answers 503 with the setting that allows it", async (id, filename, bytes, subject) => {
  const fields: Record<string, string> = id === "image/resize" ? { width: "4" } : {};
  const response = await client.postForm(`/v1/${id}`, { file: { bytes, filename }, ...fields });
  expect(response.headers.get("retry-after")).toBe("300");
  expect(await expectError(response, "unavailable")).toBe(
    `The sandbox does not work on this server, so ${subject} is off. The operator can allow it with SANDBOX=off.`,
  );
});

it("a chain and an SVG as a watermark answer 503 too", async () => {
  const operations = [{ type: "document/html-to-pdf", params: {} }];
  const chain = await client.postJson("/v1/jobs", { input: `${filesUrl}/a.html`, operations });
  await expectError(chain, "unavailable");
  const watermark = await client.postForm("/v1/image/watermark-image", {
    file: { bytes: png, filename: "a.png" },
    watermark: { bytes: svg, filename: "w.svg" },
  });
  expect(await expectError(watermark, "unavailable")).toContain("image/watermark-image of SVG");
});

it("a file whose type is known only in the runner fails there with the same message", async () => {
  const body = { input: `${filesUrl}/picture`, width: 4 };
  const job = await client.finish(await client.postJson("/v1/image/resize", body));
  expect(job).toMatchObject({ status: "failed", error_code: "internal" });
  expect(job.error).toContain("image/resize of SVG is off");
});

it("other files are processed", async () => {
  const file = { bytes: png, filename: "a.png" };
  const job = await client.finish(
    await client.postForm("/v1/image/convert", { file, format: "jpeg" }),
  );
  expect(job).toMatchObject({ status: "completed" });
});

it("no one can sign up or run without an account, and the pages do not offer it", async () => {
  const headers = { "x-forwarded-host": host, "x-forwarded-proto": "https" };
  const open = async (path: string) => (await fetch(`${stack.url}${path}`, { headers })).text();
  expect(await open("/sign-up")).toContain("Sign-up is closed");
  // Only the matches, because a page is long.
  expect((await open("/")).match(/href="\/sign-up[^"]*"|Drop a file/g)).toBeNull();
  expect((await open("/sign-in")).match(/No account yet|href="\/sign-up/g)).toBeNull();
  const form = new FormData();
  form.append("file", new Blob([png]), "a.png");
  const run = await fetch(`${stack.url}/try/run/image/convert`, {
    method: "POST",
    headers: { ...headers, Origin: `https://${host}`, "Sec-Fetch-Site": "same-origin" },
    body: form,
  });
  await expectError(run, "not_found");
});
