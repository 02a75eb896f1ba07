import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { openReceiver } from "./support/receiver.ts";

/** Executes if a page renders the text as markup. */
const markup = `"'><img src=x onerror="window.ran=1">{{7*7}}`;

/** The markup is shown as text and was not executed. */
async function expectHarmless(page: Page): Promise<void> {
  await expect(page.getByText("onerror=").first()).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  await expect(page.locator("img[src=x]")).toHaveCount(0);
}

test("file names, metadata, key names and webhook responses are shown as text", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([410], markup);
  const job = await api.run(
    "pipeline/file-inspect",
    { bytes: "some text", filename: `${markup}.txt`, contentType: "text/plain" },
    { metadata: JSON.stringify({ [markup]: markup }), webhook_url: receiver.url },
  );
  await receiver.waitFor(1);

  await page.goto("/dashboard");
  await expectHarmless(page);

  // Not only those that have failed: the attempt is recorded after the response.
  await page.goto(`/dashboard/webhooks?job=${job.id}`);
  await page.getByRole("link", { name: "job.completed" }).click();
  await expect(page.getByRole("region", { name: "Response 1" })).toContainText(markup);
  await expectHarmless(page);

  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(markup.slice(0, 60));
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expectHarmless(page);

  await page.goto(`/dashboard/webhooks?job=${encodeURIComponent(markup)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
});
