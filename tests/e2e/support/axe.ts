import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Holds the page as it will be in a moment against axe-core's rules: nothing serious or critical.
 * What is still loaded or fades in has not got its contrast yet, and is looked at again.
 *
 * @param rules ids of the only rules that matter; none: all
 */
export async function expectAccessible(page: Page, rules: readonly string[] = []): Promise<void> {
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
    expect(await findGrave(page, rules), page.url()).toEqual([]);
  }).toPass({ timeout: 15_000 });
}

/** The rules that are broken, and where. */
async function findGrave(page: Page, rules: readonly string[]) {
  const builder = new AxeBuilder({ page });
  if (rules.length > 0) builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    }));
}
