import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import { findViolations } from "./axe-in-page.ts";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** The rules about colors. They need most of the time, and are the ones that a color scheme can violate. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** The styles of texts that have passed the color rules in this worker: a text of the same style passes, too. */
const passedStyles = new Set<string>();

/**
 * Expects no serious or critical axe-core violations. Waits for animations and retries, because
 * elements that fade in do not have their final contrast.
 *
 * @param rules only those about colors, for a page whose other rules were checked. Default: all rules.
 */
export async function expectAccessible(page: Page, rules: "all" | "colors" = "all"): Promise<void> {
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
    const isLoaded = await page.evaluate(() => "axe" in window);
    if (!isLoaded) await page.evaluate(axeSource);
    const { violations, passed } = await page.evaluate(findViolations, {
      colorRules,
      withOthers: rules === "all",
      passed: [...passedStyles],
    });
    const serious = violations.filter(
      ({ impact }) => impact === "serious" || impact === "critical",
    );
    expect(serious, page.url()).toEqual([]);
    for (const style of passed) passedStyles.add(style);
  }).toPass({ timeout: 45_000 });
}

/** Switches a page that has loaded to dark mode. Its scripts follow the browser's setting only after that. */
export async function switchToDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
}
