import type { Page } from "@playwright/test";

/**
 * Makes `goto` and `reload` wait until the page is hydrated, because clicks before that are lost.
 * React sets an internal property on every element that it has hydrated.
 */
export function waitForHydration(page: Page): void {
  const hydrated = async () => {
    await page.waitForFunction(() =>
      [...document.querySelectorAll("button, input[type=range], [role=slider]")].every((element) =>
        Object.keys(element).some((key) => key.startsWith("__reactProps")),
      ),
    );
  };
  const { goto, reload } = page;
  page.goto = async (...args) => {
    const response = await goto.apply(page, args);
    await hydrated();
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload.apply(page, options);
    await hydrated();
    return response;
  };
}
