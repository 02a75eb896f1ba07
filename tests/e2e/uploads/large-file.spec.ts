import { randomFillSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { readUpload, sha256 } from "#tests/service/http/uploads.ts";
import { expect, test } from "../support/fixtures.ts";
import { slowUploads } from "../support/slow-uploads.ts";

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-large-"));
});
test.afterAll(() => rm(folder, { recursive: true }));

const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();

test("a large file goes on where it stopped after a lost connection and after a reload", async ({
  signedIn: page,
  api,
}) => {
  // Files of up to 50 MB are sent in one request, which cannot go on.
  const content = randomFillSync(Buffer.alloc(60_000_000));
  const path = join(folder, "large.bin");
  await writeFile(path, content);
  const offsets: number[] = [];
  let id = "";
  page.on("request", (request) => {
    if (request.method() !== "PATCH") return;
    id = /upload_\w{24}/.exec(request.url())?.[0] ?? "";
    offsets.push(Number(request.headers()["upload-offset"]));
  });
  const countReceived = async (): Promise<number> => (await readUpload(api, id)).bytes_received;
  await page.goto("/dashboard/playground?operation=pipeline/file-inspect");
  await page.getByLabel("Choose the input").setInputFiles(path);
  const slow = await slowUploads(page, 5_000_000);
  await run(page);
  await expect.poll(() => offsets.length).toBe(1);
  await expect.poll(countReceived).toBeGreaterThan(5_000_000);
  await page.reload();
  await slow.end();
  // The page still has the file.
  await expect(page.getByText("large.bin", { exact: true })).toBeVisible();
  await run(page);
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByText("Completed", { exact: true })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText(sha256(content)).first()).toBeVisible();
  expect(offsets[0]).toBe(0);
  expect(offsets.at(-1)).toBeGreaterThan(5_000_000);
});
