import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The playground of the dashboard, as a person uses it. */

/** The folder of the sample inputs. */
export const samples = join(import.meta.dirname, "../../../public/samples/inputs");

/** Opens an operation, and resolves with the region of its result. */
export async function open(page: Page, operation: string): Promise<Locator> {
  await page.goto(`/dashboard/playground?operation=${operation}`);
  await expect(page.getByRole("button", { name: operation })).toBeVisible();
  return page.getByRole("region", { name: "Result" });
}

export const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();

/** The file that the download link saves. */
export async function download(page: Page, result: Locator): Promise<Buffer> {
  const saved = page.waitForEvent("download");
  await result.getByRole("link", { name: "Download" }).click();
  return readFile(await (await saved).path());
}
