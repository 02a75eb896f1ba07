import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Holds the page as it will be in a moment against axe-core's rules: nothing serious or critical.
 * What is still loaded or fades in has not got its contrast yet, and is looked at again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(async () => {
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          (animation) =>
            animation.effect?.getComputedTiming().iterations === Infinity ||
            animation.playState === "finished",
        ),
    );
    expect(await findGrave(page)).toEqual([]);
  }).toPass({ timeout: 15_000 });
}

/** The rules that are broken, and where. */
async function findGrave(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    }));
}
