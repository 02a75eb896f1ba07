import type { Page } from "@playwright/test";

/**
 * Limits how fast the page sends, in bytes a second, until `end` is called. The next test has the same page: what a
 * test limits, it must end.
 */
export async function slowUploads(
  page: Page,
  bytesPerSecond: number,
): Promise<{ end(): Promise<void> }> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const limit = (uploadThroughput: number) =>
    client.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(bytesPerSecond);
  return {
    async end() {
      await limit(-1);
      await client.detach();
    },
  };
}
