import type { Page } from "@playwright/test";

/**
 * Makes `goto` and `reload` wait until the page is hydrated, because clicks before that are lost.
 * React sets an internal property on every element that it has hydrated.
 */
export function waitForHydration(page: Page): void {
  const hydrated = async () => {
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll("button, input[type=range], [role=slider]")].every(
          (element) => Object.keys(element).some((key) => key.startsWith("__reactProps")),
        ),
      undefined,
      // The default, every frame, takes time from the scripts that it waits for.
      { polling: 50 },
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
