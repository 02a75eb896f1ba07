import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Holds the page as it is now against axe-core's rules: nothing serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is fading in has not got its contrast yet.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (animation) =>
          animation.effect?.getComputedTiming().iterations === Infinity ||
          animation.playState === "finished",
      ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    }));
  expect(grave).toEqual([]);
}
