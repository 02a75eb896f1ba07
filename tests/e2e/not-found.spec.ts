import { expect, expectAccessible, test } from "./support/fixtures.ts";

test("an address that does not exist says so and leads back", async ({ page }) => {
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here.");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Back to the start" }).click();
  await expect(page).toHaveURL("/");
});
