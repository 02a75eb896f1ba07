import { expect, type Page } from "@playwright/test";

/** The smallest screen that pages are made for. */
export const narrowScreen = { width: 320, height: 800 };

/** The page has one main heading, and is not wider than a narrow screen. */
export async function expectFits(page: Page): Promise<void> {
  await page.setViewportSize(narrowScreen);
  await expect(page.locator("h1"), page.url()).toHaveCount(1);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, page.url()).toBeLessThanOrEqual(narrowScreen.width);
}
