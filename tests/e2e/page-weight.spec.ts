import type { Page } from "@playwright/test";
import { pagePatterns } from "#tests/screenshots/pages.ts";
import { expect, test } from "./support/fixtures.ts";

/** Bytes of script, as they come over the wire, that the first load of a dashboard page may take. */
const budget = 200_000;

/** What was transferred of scripts since the returned function's page was opened. */
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

const paths = pagePatterns().filter((path) => path.startsWith("/dashboard") && !path.includes("["));

for (const path of paths) {
  test(`the first load of ${path} takes less than ${budget / 1000} KB of scripts`, async ({
    signedIn: page,
  }) => {
    const transferred = await countScripts(page);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // Scripts that pages load ahead come when the browser has nothing else to do.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    test.info().annotations.push({ type: "script bytes", description: String(transferred()) });
    expect(transferred()).toBeGreaterThan(50_000);
    expect(transferred()).toBeLessThan(budget);
  });
}
