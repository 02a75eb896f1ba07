import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readAsset } from "#lib/engines/chromium/page/assets.ts";
import { temporaryFolder } from "#tests/servers/net.ts";

it.each([
  ["style.css", "text/css; charset=utf-8"],
  ["data.constructor", "application/octet-stream"],
])("a page gets its file %s as %s", async (name, contentType) => {
  const path = join(temporaryFolder(), name);
  await writeFile(path, "a");
  const base = "https://page.example/";
  const response = await readAsset(new Map([[name, path]]), base + name, base);
  expect(response).toMatchObject({ status: 200, contentType });
});
