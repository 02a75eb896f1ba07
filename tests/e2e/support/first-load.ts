import { expect, type Page } from "@playwright/test";

/** The maximum transferred script bytes of a dashboard page's first load. */
const budget = 200_000;

/** Counts the script bytes that the page transfers from now on, without its cache. */
export async function countScripts(page: Page): Promise<{ expectFew(): Promise<void> }> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  client.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return {
    async expectFew() {
      await client.detach();
      expect(bytes, page.url()).toBeGreaterThan(50_000);
      expect(bytes, page.url()).toBeLessThan(budget);
    },
  };
}
