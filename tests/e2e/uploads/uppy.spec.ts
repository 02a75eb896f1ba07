import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { expect, test } from "../support/fixtures.ts";

/** A page of another origin with Uppy, which sends to the service without a backend of its own. */
const script = `
import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

globalThis.startUpload = ({ endpoint, key, size }) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65536)));
  const uppy = new Uppy();
  uppy.use(Tus, {
    endpoint,
    headers: { Authorization: "Bearer " + key },
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
    return { url: successful[0]?.uploadURL, failed: failed.length, sha256 };
  });
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

test("Uppy uploads from a page of another origin, and goes on after the connection was lost", async ({
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
  const { key } = account.api;
  const size = 20_000_000;
  await page.evaluate((options) => Reflect.get(globalThis, "startUpload")(options), {
    endpoint: `${service.url}/v1/uploads/tus`,
    key,
    size,
  });
  await page.waitForFunction(() => Number(Reflect.get(globalThis, "progress")) > 10);
  await context.setOffline(true);
  await page.waitForTimeout(1500);
  await context.setOffline(false);
  const done: { url: string; failed: number; sha256: string } = await page.evaluate(() =>
    Reflect.get(globalThis, "done"),
  );
  expect(done.failed).toBe(0);
  const id = /upload_\w{24}/.exec(done.url)?.[0] ?? "";
  const state = await account.api.request(`/v1/uploads/${id}`);
  expect(await state.json()).toMatchObject({ status: "complete", filename: "from a page.bin" });
  const job = await account.api.finish(
    await account.api.postJson("/v1/pipeline/file-inspect", { input: id }),
  );
  expect(job.result).toMatchObject({ bytes: size, sha256: done.sha256 });
  await context.close();
  server.close();
});
