import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { binaryOf, executeNode, loadNodes } from "#tests/clients/n8n-host.ts";
import { waitForHydration } from "#tests/e2e/support/hydration.ts";
import { type LimitingHost, startLimitingHost } from "#tests/servers/limiting-host.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { Cli } from "#tests/service/cli.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";
import { signInTo } from "#tests/service/http/sign-in.ts";
import { type Stack, startSmallStack } from "#tests/service/stack.ts";
import { launchOptions } from "#tests/support/chromium.ts";

/**
 * Files of 6 MB on a host that refuses requests above 4.5 MB, as Vercel does, with storage in a bucket that
 * clients may not read.
 */

const root = join(import.meta.dirname, "../../..");
let host: LimitingHost;
let store: S3Server;
let stack: Stack;
let folder: string;
let photo: Buffer;
let path: string;
const refusedBefore = () => host.refused.length;

beforeAll(async () => {
  host = await startLimitingHost();
  store = await startS3Server({ corsOrigin: host.url });
  stack = await startSmallStack({
    ...store.variables,
    APP_URL: host.url,
    VERCEL: "1",
    DOWNLOADS: "proxy",
  });
  host.target = stack.url;
  folder = await mkdtemp(join(tmpdir(), "mediamill-host-limit-"));
  const small = await readFile(join(root, "public/samples/inputs/photo.jpg"));
  // Decoders ignore what follows the end of the picture.
  photo = Buffer.concat([small, Buffer.alloc(6_000_000 - small.length)]);
  path = join(folder, "large.jpg");
  await writeFile(path, photo);
});

afterAll(async () => {
  const code = await stack?.stop();
  host.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
  expect(code).toBe(0);
});

describe("clients with a key", () => {
  it("learn the limit of the host, which refuses a form of 6 MB", async () => {
    const mm = new Mediamill({ apiKey: stack.apiKey, baseUrl: host.url });
    const account = await (await mm.request("/v1/account")).json();
    expect(account.uploads).toEqual({ direct: true, form_bytes: 4_000_000 });
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(photo)]), "large.jpg");
    const sent = mm.request("/v1/image/palette", { method: "POST", body: () => form });
    await expect(sent).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(/^This host accepts at most 4\.5 MB per request\./),
    });
  });

  it("the SDK uploads the input, further files, and several inputs first", async () => {
    const before = refusedBefore();
    const mm = new Mediamill({ apiKey: stack.apiKey, baseUrl: host.url });
    const job = await mm.run("image/resize", { input: path, width: 40 });
    expect(job.output.data.width).toBe(40);
    const watermark = new Blob([new Uint8Array(photo)]);
    const marked = await mm.run("image/watermark-image", { input: path, watermark });
    expect(marked.status).toBe("completed");
    const several = { inputs: [new Blob([new Uint8Array(photo)]), path] };
    expect((await mm.run("image/animated", several)).status).toBe("completed");
    const chain = await mm.chain(path).resize({ width: 30 }).run();
    expect(chain.output.data.width).toBe(30);
    expect(host.refused.slice(before)).toEqual([]);
  });

  it("the command line does", async () => {
    const before = refusedBefore();
    const cli = new Cli({ MEDIAMILL_API_KEY: stack.apiKey, MEDIAMILL_BASE_URL: host.url });
    const args = ["image", "resize", path, "--width", "40", "--print-urls"];
    const { code, stdout, stderr } = await cli.run(args);
    cli.remove();
    expect([code, stderr]).toEqual([0, expect.stringContaining("✓")]);
    expect(stdout).toMatch(/^http/);
    expect(host.refused.slice(before)).toEqual([]);
  });

  it("the Python package does", async () => {
    const before = refusedBefore();
    const script = `
import asyncio, mediamill, sys
path = sys.argv[1]
with mediamill.Mediamill() as mm:
    print(mm.run("image/resize", input=path, width=40).output.data["width"])
    print(mm.run("image/watermark-image", input=path, watermark=open(path, "rb")).data["status"])
async def main():
    async with mediamill.AsyncMediamill() as mm:
        print((await mm.run("image/animated", inputs=[path, path])).data["status"])
asyncio.run(main())
`;
    const { stdout } = await promisify(execFile)(python, ["-c", script, path], {
      env: {
        ...process.env,
        PYTHONPATH: join(root, "packages/python/src"),
        PYTHONDONTWRITEBYTECODE: "1",
        MEDIAMILL_API_KEY: stack.apiKey,
        MEDIAMILL_BASE_URL: host.url,
      },
    });
    expect(stdout.trim().split("\n")).toEqual(["40", "completed", "completed"]);
    expect(host.refused.slice(before)).toEqual([]);
  });

  it("the n8n node does", async () => {
    const { nodes, credential } = await loadNodes(folder);
    const { Mediamill: node } = nodes;
    if (!node) throw new Error("the package has no node");
    const [result] = await executeNode({
      node,
      credential,
      credentials: { apiKey: stack.apiKey, baseUrl: host.url },
      parameters: { resource: "image", operation: "resize", options: { width: 40 } },
      items: [{ json: {}, binary: { data: binaryOf(photo, "large.jpg", true) } }],
    });
    expect(result?.json).toMatchObject({ status: "completed", outputs: [{ width: 40 }] });
  });
});

it("with DOWNLOADS=proxy the service itself sends the files of a bucket, and ranges of them", async () => {
  const client = new ApiClient(stack.url, stack.apiKey);
  const file = { bytes: "in a bucket", filename: "note.txt" };
  const job = await client.run("pipeline/file-inspect", file);
  const signed = await fetch(job.outputs[0]?.url ?? "", { redirect: "manual" });
  expect([signed.status, await signed.json()]).toMatchObject([200, { bytes: 11 }]);
  const headers = { range: "bytes=0-1" };
  const part = await client.request(`/v1/jobs/${job.id}/output`, { headers });
  expect([part.status, await part.text()]).toEqual([206, "{\n"]);
});

describe("uploads of visitors", () => {
  const create = (visitor: FormBrowser, bytes: number, headers: Record<string, string> = {}) =>
    visitor.send("/try/uploads", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ filename: "large.jpg", bytes }),
    });
  const resize = (visitor: FormBrowser, input: string) => {
    const body = new FormData();
    body.append("input", input);
    body.append("width", "40");
    return visitor.send("/try/run/image/resize", { method: "POST", body });
  };

  it("have at most 10 MB, expire after an hour, and are of one visitor only", async () => {
    const visitor = new FormBrowser(host.url);
    const created = await create(visitor, photo.length);
    expect(created.status).toBe(201);
    const { id, url, expires_at } = await created.json();
    expect(url).toContain(store.variables.S3_ENDPOINT);
    const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(0.9);
    expect(hours).toBeLessThanOrEqual(1);
    // The size is signed.
    expect((await fetch(url, { method: "PUT", body: "another size" })).status).toBe(403);
    expect((await fetch(url, { method: "PUT", body: new Uint8Array(photo) })).status).toBe(200);
    expect((await resize(new FormBrowser(host.url), id)).status).toBe(400);
    expect((await resize(visitor, id)).status).toBe(202);
    const large = await create(visitor, 10_000_001);
    expect([large.status, large.headers.get("x-error-code")]).toEqual([413, "too_large"]);
    const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await create(visitor, 5, forged)).status).toBe(403);
    expect((await create(visitor, 5, { "content-type": "text/plain" })).status).toBe(415);
  });
});

describe("pages", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let sent: string[];

  beforeAll(async () => {
    browser = await chromium.launch(launchOptions);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    waitForHydration(page);
    sent = [];
    page.on("request", (one) => {
      if (["POST", "PUT"].includes(one.method())) sent.push(`${one.method()} ${pathOf(one.url())}`);
    });
  });

  /** The path without what is signed, and with the key of a stored file cut. */
  const pathOf = (url: string) => new URL(url).pathname.replace(/upload_\w+.*/, "…");
  const put = "PUT /mediamill/uploads/…";

  async function openPlayground(operation: string): Promise<void> {
    const password = "purple lighthouse 9";
    const { email } = await insertAccount({ password, plan: "pro" }, stack.dataDir);
    await signInTo(context, host.url, { email, password });
    await page.goto(`${host.url}/dashboard/playground?operation=${operation}`);
  }

  /** The home page shows other jobs too. */
  const completed = (area = "Result") =>
    page
      .getByLabel(area, { exact: true })
      .getByText("Completed", { exact: true })
      .first()
      .waitFor();

  it("the playground uploads a file first, and shows how far it is", async () => {
    await openPlayground("image/palette");
    await page.getByLabel("Choose the input").setInputFiles(path);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`${store.variables.S3_ENDPOINT}/**`, async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    const uploading = page.waitForRequest((one) => one.method() === "PUT");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await uploading;
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await page.getByText("No result yet").waitFor();
    release();
    await page.unroute(`${store.variables.S3_ENDPOINT}/**`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await completed();
    const upload = ["POST /dashboard/api/uploads", put];
    expect(sent).toEqual([...upload, ...upload, "POST /dashboard/api/run/image/palette"]);
  });

  it("the playground uploads several files first, whose sum is too large", async () => {
    const half = join(folder, "half.jpg");
    await writeFile(half, photo.subarray(0, 3_000_000));
    await openPlayground("image/animated");
    await page.getByLabel("Choose the inputs").setInputFiles([half, half]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await completed();
    const upload = ["POST /dashboard/api/uploads", put];
    expect(sent).toEqual([...upload, ...upload, "POST /dashboard/api/run/image/animated"]);
  });

  it("the home page uploads a visitor's file first", async () => {
    await page.goto(host.url);
    const area = page.getByRole("region", { name: "Try it" });
    await area.getByLabel("Choose your file").setInputFiles(path);
    await area.getByRole("button", { name: "Crop to a square" }).click();
    await area.getByRole("button", { name: "Run" }).click();
    await completed("Try it");
    expect(sent.slice(0, 2)).toEqual(["POST /try/uploads", put]);
    expect(sent[2]).toMatch(/^POST \/try\/run\//);
  });

  it("the playground explains a refusal of the host", async () => {
    await openPlayground("image/palette");
    await page
      .getByLabel("Choose the input")
      .setInputFiles(join(root, "public/samples/inputs/photo.jpg"));
    const headers = { "x-vercel-error": "FUNCTION_PAYLOAD_TOO_LARGE" };
    await page.route("**/dashboard/api/run/**", (route) =>
      route.fulfill({ status: 413, headers, body: "Request Entity Too Large" }),
    );
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("This host accepts at most 4.5 MB per request.").waitFor();
  });
});
