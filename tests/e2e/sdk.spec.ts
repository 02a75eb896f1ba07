import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Mediamill } from "#packages/sdk/src/index.ts";
import { installPackage } from "#tests/clients/install-package.ts";
import { expect, test } from "./support/fixtures.ts";

declare global {
  var sdk: { readonly Mediamill: typeof Mediamill };
}

/** The SDK as it is published, as a script for a page. */
async function bundleSdk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-sdk-"));
  try {
    const installed = await installPackage("sdk", "@mediamill/sdk", folder);
    const { outputFiles } = await build({
      entryPoints: [join(installed, "dist/index.js")],
      bundle: true,
      platform: "browser",
      format: "iife",
      write: false,
      globalName: "sdk",
      // Playwright runs the script in a function.
      footer: { js: "globalThis.sdk = sdk;" },
    });
    return outputFiles?.[0]?.text ?? "";
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the SDK runs an operation on a File in the browser", async ({ page, account }) => {
  await page.addInitScript({ content: await bundleSdk() });
  await page.goto("/docs");
  const photo = await readFile(join(import.meta.dirname, "../../public/samples/inputs/photo.jpg"));
  const outcome = await page.evaluate(
    async ({ apiKey, base64 }) => {
      const { Mediamill } = globalThis.sdk;
      const mm = new Mediamill({ apiKey, baseUrl: location.origin });
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const input = new File([bytes], "my photo.jpg", { type: "image/jpeg" });
      const phases: string[] = [];
      const onProgress = ({ phase }: { phase: string }) => void phases.push(phase);
      const resized = await mm.run("image/resize", { input, width: 40 });
      const { result } = await mm.run("image/palette", { input }, { onProgress });
      const drawn = await createImageBitmap(await resized.output.blob());
      const failed = await mm.run("image/resize", { input, width: -1 }).catch((error) => error);
      return {
        phases: [...new Set(phases)],
        filename: resized.output.filename,
        width: drawn.width,
        colors: result.colors.length,
        error: [failed.name, failed.status, failed.code],
      };
    },
    { apiKey: account.api.key, base64: photo.toString("base64") },
  );
  expect(outcome).toEqual({
    phases: ["upload", "processing"],
    filename: "my photo-resize.jpg",
    width: 40,
    colors: 5,
    error: ["InvalidRequestError", 400, "invalid_parameter"],
  });
});
