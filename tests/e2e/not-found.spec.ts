import { expect, expectAccessible, test } from "./support/fixtures.ts";

test("an unknown URL has status 404 and links to the home page", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to home page" }).click();
  await expect(page).toHaveURL("/");
});
