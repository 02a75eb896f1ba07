import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, expectAccessible, test } from "./support/fixtures.ts";
import { expectShown } from "./support/previews.ts";

const inputs = join(import.meta.dirname, "../../public/samples/inputs");

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
  const pages = ["", "/keys", "/connections", "/webhooks", "/requests", "/none"].map(
    (page) => `/dashboard${page}`,
  );
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  }
  await page.goto("/dashboard/webhooks");
  const deliveries = page.getByRole("list", { name: "Deliveries" });
  await expect(deliveries.getByText(hook)).toBeVisible();
});

test("names in the tables of the docs are not cut in two", async ({ page }) => {
  await page.goto("/docs/jobs");
  const names = page.locator(".prose td code");
  await expect(names.first()).toBeVisible();
  const cut = await names.evaluateAll((all) =>
    all
      .filter((name) => /^\w+$/.test(name.textContent) && name.getClientRects().length > 1)
      .map((name) => name.textContent),
  );
  expect(cut).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
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

test("a job with a long file name fits narrow and wide pages", async ({ signedIn: page, api }) => {
  const bytes = await readFile(join(inputs, "photo.jpg"));
  const job = await api.run("image/sharpen", { bytes, filename: `${"x".repeat(196)}.jpg` });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/dashboard/jobs/${job.id}`);
    await expectShown(page.getByRole("img", { name: "After" }));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  }
});

test("the control that has the focus is above the bar at the bottom", async ({
  signedIn: page,
}) => {
  // Without smooth scrolling, which takes time.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/dashboard/playground?operation=document/html-to-pdf");
  const bar = page.locator("[data-bottom-bar]");
  const form = page.locator("form", { has: bar });
  const controls = form.locator("input, textarea, select, button[role=switch], [role=slider]");
  await controls.first().focus();
  for (let count = await controls.count(); count > 0; count--) {
    const isCovered = await page.evaluate(() => {
      const focused = document.activeElement;
      const bar = document.querySelector("[data-bottom-bar]");
      if (!focused?.closest("form") || !bar || bar.contains(focused)) return false;
      return focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
    });
    expect(isCovered).toBe(false);
    await page.keyboard.press("Tab");
  }
});
