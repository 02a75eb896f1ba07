import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { copyDatabase } from "#tests/service/database/cluster-template.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, type Stack, startSmallStack } from "#tests/service/stack.ts";
import { restrictedPod } from "#tests/support/sandbox/without-namespaces.ts";

/** A public service in a restricted pod: no user namespaces, so engines run at the level `strict`. */

const host = "media.example";
const metricsToken = "token-of-the-operator";
const sample = (name: string) =>
  readFile(join(import.meta.dirname, "../../../public/samples/inputs", name));

let folder: string;
let database: Awaited<ReturnType<typeof startDatabase>>;
let files: Server;
let filesUrl: string;
let requests: string[];
let stack: Stack;
let client: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-strict-"));
  await copyDatabase(folder);
  database = await startDatabase(folder);
  const port = await freePort();
  filesUrl = `http://127.0.0.1:${port}`;
  requests = [];
  const page = `<!doctype html><title>a</title><img src="${filesUrl}/picture.svg"><p>a page`;
  files = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (request.url === "/page.html") response.setHeader("content-type", "text/html").end(page);
    else response.setHeader("content-type", "image/svg+xml").end("<svg/>");
  }).listen(port, "127.0.0.1");
  const variables = {
    DATABASE_URL: database.url,
    APP_URL: `https://${host}`,
    SANDBOX: "required",
    METRICS_TOKEN: metricsToken,
    MEDIA_ENGINES: "all",
    FETCH_ALLOW: `127.0.0.1:${port}`,
  };
  stack = await startSmallStack(variables, () => restrictedPod);
  client = new ApiClient(stack.url, stack.apiKey);
});

afterAll(async () => {
  const code = await stack?.stop();
  files?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
  expect(code, stack?.output().slice(-4000)).toBe(0);
});

it("reports the level, and all engines", async () => {
  expect(stack.output()).toContain("Sandbox: on (strict).");
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const readiness = async () => (await fetch(`${stack.url}/readyz`, { headers })).json();
  await expect.poll(readiness, { timeout: 60_000, interval: 500 }).toMatchObject({
    sandbox: "strict",
    engines: {
      ffmpeg: expect.any(String),
      chromium: expect.any(String),
      image: expect.any(String),
    },
  });
  const { engines } = await readiness();
  expect(Object.entries(engines).filter(([, version]) => version === null)).toEqual([]);
});

it("a page is printed with a picture that Chromium loads through the guarded proxy", async () => {
  const body = { input: `${filesUrl}/page.html` };
  const job = await client.finish(await client.postJson("/v1/document/html-to-pdf", body));
  expect(job).toMatchObject({ status: "completed" });
  expect(requests).toContain("/picture.svg");
});

it.each([
  ["document/doc-to-pdf", "report.docx", {}],
  ["image/resize", "photo.jpg", { width: "40" }],
  // The image stays as it is, and is copied.
  ["image/resize", "photo.jpg", { width: "16000" }],
  ["image/metadata", "photo.jpg", {}],
  ["video/thumbnail", "clip.mp4", {}],
])("%s is completed", async (id, filename, fields) => {
  const file = { bytes: await sample(filename), filename };
  const job = await client.finish(await client.postForm(`/v1/${id}`, { file, ...fields }));
  expect(job).toMatchObject({ status: "completed" });
});

it("sign-up and runs without an account are open", async () => {
  const headers = { "x-forwarded-host": host, "x-forwarded-proto": "https" };
  const page = await (await fetch(`${stack.url}/sign-up`, { headers })).text();
  expect(page).not.toContain("Sign-up is closed");
});
