import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Expects no serious or critical axe-core violations. Waits for animations and retries, because
 * elements that fade in do not have their final contrast.
 *
 * @param rules IDs of the rules to check. Default: all rules.
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
    expect(await findSeriousViolations(page, rules), page.url()).toEqual([]);
  }).toPass({ timeout: 45_000 });
}

/** The violated rules and the elements that violate them. */
async function findSeriousViolations(page: Page, rules: readonly string[]) {
  // All frames are of the same origin as the page, so they need no page of their own to be merged in.
  // Of the rules that hold, axe describes one element instead of all, which halves its time.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (rules.length > 0) builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    }));
}
