import { expect, expectAccessible, test } from "./support/fixtures.ts";

test.use({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });

const text = {
  bytes: "some text",
  filename: `${"long".repeat(40)}.txt`,
  contentType: "text/plain",
};

test("dashboard pages fit 360 px and are accessible in dark mode", async ({
  signedIn: page,
  api,
  host,
}) => {
  const hook = `${host.url}/hook/narrow/${"path".repeat(30)}/200`;
  await api.run("pipeline/file-inspect", text, { webhook_url: hook });
  for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/webhooks", "/dashboard/none"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  }
});

for (const [operation, file, label] of [
  ["image/crop", "photo.jpg", "Picture to draw the box on"],
  ["image/pixelate", "photo.jpg", "Picture to draw boxes on"],
] as const) {
  test(`the form of ${operation} fits 320 px`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`/dashboard/playground?operation=${operation}`);
    await page.getByRole("button", { name: file }).click();
    await expect(page.getByRole("group", { name: label })).toBeVisible();
    if (operation === "image/pixelate")
      await page.getByRole("button", { name: "Add region" }).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });
}

test("the navigation works by keyboard and returns the focus", async ({ signedIn: page }) => {
  await page.goto("/dashboard");
  const button = page.getByRole("button", { name: "Open navigation" });
  await button.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await sheet.getByRole("link", { name: "API keys" }).click();
  await expect(page).toHaveURL("/dashboard/keys");
  await expect(sheet).toBeHidden();
});
