import { expect, expectAccessible, test } from "./support/fixtures.ts";

test("a job of several operations is built, reordered, run, copied as code and opened again", async ({
  signedIn: page,
  context,
}) => {
  await page.goto("/dashboard/playground?operation=document/html-to-image");
  await page.getByRole("button", { name: "invoice.html" }).click();
  const add = page.getByRole("button", { name: "Add a step" });
  const search = page.getByPlaceholder("Search operations…");
  await add.click();
  await search.fill("video");
  await expect(page.getByRole("option", { name: "video/trim" })).toHaveCount(0);
  await search.fill("image/resize");
  await page.keyboard.press("Enter");
  await page.getByRole("spinbutton", { name: "width" }).fill("320");
  await add.click();
  await search.fill("image/convert");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "webp" }).check({ force: true });
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toHaveCount(3);

  // An image cannot be printed as a page: the order is refused before anything is sent.
  const run = page.getByRole("button", { name: "Run", exact: true });
  await page.getByRole("button", { name: /^Move document\/html-to-image/ }).press("ArrowDown");
  const wrong = page.getByText("does not take the output of step 1");
  await expect(wrong).toBeVisible();
  await expect(run).toBeDisabled();
  await page.getByRole("button", { name: /^Move document\/html-to-image/ }).press("ArrowUp");
  await expect(wrong).toHaveCount(0);
  await expectAccessible(page);

  // The form checks the webhook and the metadata as the API does, and shows what is wrong where it is.
  await page.getByText("Outputs, webhook, metadata").click();
  const webhook = page.getByRole("textbox", { name: "webhook_url" });
  await webhook.fill("example.com/hook");
  await page.getByRole("button", { name: "Add a value" }).click();
  await page.getByRole("textbox", { name: "Name 1" }).fill("order");
  await page.getByRole("textbox", { name: "Value 1" }).fill("12");
  await run.click();
  await expect(page.getByText("must be a complete http or https URL")).toBeVisible();
  await expect(webhook).toBeFocused();
  await webhook.fill("https://127.0.0.1/hook");
  await run.click();
  await expect(webhook).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Result").getByText("HTTP/1.1 400")).toBeVisible();
  await webhook.fill("");

  await page.reload();
  await expect(steps).toHaveCount(3);
  await expect(page.getByRole("textbox", { name: "Value 1" })).toHaveValue("12");
  await run.click();
  const result = page.getByRole("region", { name: "Result" }).or(page.getByLabel("Result"));
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  await expect(result.getByText(/^image\/webp, .* 320 × /)).toBeVisible();

  // What lies between the steps, and how long each took.
  const ran = result.getByRole("list", { name: "Operations" }).getByRole("listitem");
  await expect(ran).toHaveCount(3);
  await expect(ran.nth(1).getByText(/^image\/png, .* 320 × /)).toBeVisible();
  await expect(ran.nth(1).getByText(/^\d+ ms$|^[\d.]+ s$/)).toBeVisible();
  await result.getByRole("button", { name: "Show the output of operation 1" }).click();
  await expect(ran.nth(0).getByRole("img", { name: /^invoice.*\.png$/ })).toBeVisible();
  await expectAccessible(page);

  await result.getByRole("tab", { name: "Request and response" }).click();
  await expect(result.getByText("X-API-Key: ***")).toBeVisible();
  await expect(result.getByText("HTTP/1.1 202")).toContainText('"order": "12"');
  await result.getByRole("tab", { name: "Result", exact: true }).click();

  await page.getByRole("button", { name: "Copy as code" }).click();
  const code = page.getByRole("dialog", { name: "Request as code" });
  await expect(code).toContainText("image/convert");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await code.getByRole("button", { name: "Copy link" }).click();
  await expect(code.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");

  const second = await context.newPage();
  await second.goto(link);
  const linked = second.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(linked).toHaveCount(3);
  await expect(second.getByText("A link has filled in this section.")).toBeVisible();
  await expect(second.getByRole("textbox", { name: "Value 1" })).toHaveValue("12");
  await second.close();

  await result.getByRole("link", { name: "Open job" }).click();
  await expect(page.getByRole("button", { name: "Show the output of operation 2" })).toBeVisible();
  // A page and a picture have sizes that say nothing about each other.
  await expect(
    page.getByLabel("What has changed").getByText(/^[\d.]+ k?B → [\d.]+ k?B$/),
  ).toBeVisible();
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(steps).toHaveCount(3);
  await steps.nth(1).getByRole("button", { name: "image/resize" }).nth(1).click();
  await expect(page.getByRole("spinbutton", { name: "width" })).toHaveValue("320");
  await page.getByRole("button", { name: "Remove image/convert" }).click();
  await page.getByRole("button", { name: "Remove image/resize" }).click();
  await expect(steps).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Remove invoice.html" })).toBeVisible();
});
