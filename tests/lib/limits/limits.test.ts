import { afterAll, describe, expect, it } from "vitest";
import { closeEngines } from "#lib/engines/index.ts";
import {
  describeLimits,
  fileLimits,
  formatAmount,
  type LimitId,
  limitError,
  limitsForPlan,
  widestLimits,
} from "#lib/limits/limits.ts";
import { renderLimitsPage } from "#lib/limits/page.ts";
import { renderedText } from "#lib/operations/fields/index.ts";
import { planNames } from "#lib/plans.ts";
import { limitCases } from "#tests/hostile/limit-cases.ts";

afterAll(closeEngines);

describe.each(Object.entries(limitCases))("%s", (name, { within, beyond, namedLimit: named }) => {
  // The keys of the cases are ids of limits.
  const id = name as LimitId;

  it("accepts a file within the limit", async () => {
    await within();
  });

  it("rejects a file beyond the limit, with a message that states it", async () => {
    const { code, message } = limitError(id, named ?? widestLimits[id]);
    await expect(beyond()).rejects.toMatchObject({ name: "JobError", code, message });
  });
});

it("textLength is checked with the parameters of the request", () => {
  expect(renderedText.safeParse("x".repeat(500)).success).toBe(true);
  expect(renderedText.safeParse("x".repeat(501)).success).toBe(false);
});

describe("the table", () => {
  it("has a number for every plan, and the highest for the largest plan", () => {
    for (const plan of planNames) {
      for (const [id, max] of Object.entries(limitsForPlan(plan))) {
        expect(max).toBeGreaterThan(0);
        // The keys of `FileLimits` are ids of limits.
        expect(max).toBeLessThanOrEqual(widestLimits[id as LimitId]);
      }
    }
  });

  it("has the limits that the contract fixes", () => {
    expect(fileLimits.imagePixels.max).toBe(100_000_000);
    expect(fileLimits.textLength.max).toBe(500);
    expect(fileLimits.pageSeconds.max).toBe(30);
  });

  it("formats amounts with their units", () => {
    expect([
      formatAmount(100e6, "pixels"),
      formatAmount(1e9, "bytes"),
      formatAmount(86_400, "seconds"),
      formatAmount(300, "seconds"),
      formatAmount(768_000, "Hz"),
      formatAmount(10_000, "parts"),
      formatAmount(16_384, "px"),
    ]).toEqual([
      "100 megapixels",
      "1 GB",
      "24 hours",
      "5 minutes",
      "768 kHz",
      "10,000 parts",
      "16,384 pixels",
    ]);
  });
});

it("docs/limits.md is up to date", async () => {
  await expect(renderLimitsPage(describeLimits())).toMatchFileSnapshot("../../../docs/limits.md");
});
