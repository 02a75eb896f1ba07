import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the search by its keys, again if the scripts of the page were not yet there to see them. Returns its field. */
export async function openSearch(page: Page): Promise<Locator> {
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeVisible({ timeout: 3000 });
  }).toPass();
  return field;
}
