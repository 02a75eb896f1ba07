import type { Page } from "@playwright/test";

/**
 * From now on opening an address with this page waits until its buttons work: React gives every
 * element that it has taken over a property of its own, and a click before that goes nowhere.
 */
export function waitUntilAwake(page: Page): void {
  const awake = async () => {
    await page.waitForFunction(() =>
      [...document.querySelectorAll("button, [role=slider]")].every((element) =>
        Object.keys(element).some((key) => key.startsWith("__reactProps")),
      ),
    );
  };
  const { goto, reload } = page;
  page.goto = async (...address) => {
    const answer = await goto.apply(page, address);
    await awake();
    return answer;
  };
  page.reload = async (...options) => {
    const answer = await reload.apply(page, options);
    await awake();
    return answer;
  };
}
