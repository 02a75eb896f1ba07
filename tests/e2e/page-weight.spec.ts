import type { Page } from "@playwright/test";
import { listPagePatterns } from "#tests/screenshots/pages.ts";
import { expect, test } from "./support/fixtures.ts";

/** The maximum transferred script bytes of a dashboard page's first load. */
const budget = 200_000;

/** Counts the script bytes that the page transfers from now on. Returns a function that reads the count. */
async function countScripts(page: Page): Promise<() => number> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const scripts = new Set<string>();
  let bytes = 0;
  client.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

const paths = listPagePatterns().filter(
  (path) => path.startsWith("/dashboard") && !path.includes("["),
);

for (const path of paths) {
  test(`the first load of ${path} transfers less than ${budget / 1000} KB of scripts`, async ({
    signedIn: page,
  }) => {
    const transferred = await countScripts(page);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // The browser prefetches scripts when it is idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    test.info().annotations.push({ type: "script bytes", description: String(transferred()) });
    expect(transferred()).toBeGreaterThan(50_000);
    expect(transferred()).toBeLessThan(budget);
  });
}
