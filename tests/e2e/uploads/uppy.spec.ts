import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Job } from "#lib/jobs/view/job.ts";
import { expect, test } from "../support/fixtures.ts";

/** A page of another origin with Uppy, which sends to the service without a backend of its own. */
const script = `
import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

globalThis.startUpload = ({ service, token, size }) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65536)));
  const uppy = new Uppy();
  uppy.use(Tus, {
    endpoint: service + "/v1/uploads/tus",
    headers: { Authorization: "Bearer " + token },
    allowedMetaFields: ["name"],
    removeFingerprintOnSuccess: true,
    chunkSize: 2_000_000,
  });
  globalThis.progress = 0;
  uppy.on("progress", (percent) => { globalThis.progress = percent; });
  uppy.addFile({ name: "from a page.bin", data: new Blob([bytes]) });
  globalThis.done = uppy.upload().then(async ({ successful, failed }) => {
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const input = /upload_\\w{24}/.exec(successful[0]?.uploadURL)?.[0];
    return { input, failed: failed.length, sha256 };
  });
};

globalThis.inspectFile = async ({ service, token, input }) => {
  const response = await fetch(service + "/v1/pipeline/file-inspect", {
    method: "POST",
    headers: { Authorization: "Bearer " + token, "Content-Type": "application/json", Prefer: "wait=60" },
    body: JSON.stringify({ input }),
  });
  return response.json();
};
`;

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    platform: "browser",
    format: "iife",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

test("a page of another origin needs no backend: Uppy uploads with a browser token, goes on after the connection was lost, and the page runs an operation", async ({
  browser,
  account,
  service,
}) => {
  // The shared page may not send requests to other hosts.
  const context = await browser.newContext();
  const page = await context.newPage();
  const content = await bundlePage();
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? content : '<!doctype html><script src="/page.js"></script>');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server
  await page.goto(`http://localhost:${port}/`);
  const created = await account.api.postJson("/v1/tokens", {
    operations: ["pipeline/file-inspect"],
    origin: `http://localhost:${port}`,
  });
  const { token } = (await created.json()) as { token: string };
  const size = 20_000_000;
  await page.evaluate((options) => Reflect.get(globalThis, "startUpload")(options), {
    service: service.url,
    token,
    size,
  });
  await page.waitForFunction(() => Number(Reflect.get(globalThis, "progress")) > 10);
  await context.setOffline(true);
  await page.waitForTimeout(1500);
  await context.setOffline(false);
  const done: { input: string; failed: number; sha256: string } = await page.evaluate(() =>
    Reflect.get(globalThis, "done"),
  );
  expect(done.failed).toBe(0);
  const state = await account.api.request(`/v1/uploads/${done.input}`);
  expect(await state.json()).toMatchObject({ status: "complete", filename: "from a page.bin" });
  const job: Job = await page.evaluate(
    (options) => Reflect.get(globalThis, "inspectFile")(options),
    { service: service.url, token, input: done.input },
  );
  expect(job).toMatchObject({
    status: "completed",
    result: { bytes: size, sha256: done.sha256 },
  });
  await context.close();
  server.close();
});
