import { afterAll, describe, expect, it } from "vitest";
import { closeEngines } from "#lib/engines/index.ts";
import {
  describeAmount,
  describeLimits,
  fileLimits,
  type LimitId,
  limitError,
  limitsOf,
  widestLimits,
} from "#lib/limits/limits.ts";
import { renderLimits } from "#lib/limits/page.ts";
import { drawnText } from "#lib/operations/fields/index.ts";
import { planNames } from "#lib/plans.ts";
import { capCases } from "#tests/hostile/limit-cases.ts";

afterAll(closeEngines);

describe.each(Object.entries(capCases))("%s", (name, { within, beyond, named }) => {
  // The keys of the cases are caps.
  const id = name as LimitId;

  it("lets pass what keeps to it", async () => {
    await within();
  });

  it("refuses what does not, and says what is allowed", async () => {
    const { code, message } = limitError(id, named ?? widestLimits[id]);
    await expect(beyond()).rejects.toMatchObject({ name: "JobError", code, message });
  });
});

it("drawnText is a parameter's, and refused with the request", () => {
  expect(drawnText.safeParse("x".repeat(500)).success).toBe(true);
  expect(drawnText.safeParse("x".repeat(501)).success).toBe(false);
});

describe("the table", () => {
  it("has a number for every plan, and the largest plan's are the widest", () => {
    for (const plan of planNames) {
      for (const [id, most] of Object.entries(limitsOf(plan))) {
        expect(most).toBeGreaterThan(0);
        // The keys of `Caps` are caps.
        expect(most).toBeLessThanOrEqual(widestLimits[id as LimitId]);
      }
    }
  });

  it("holds what the contract fixes", () => {
    expect(fileLimits.imagePixels.most).toBe(100_000_000);
    expect(fileLimits.drawnText.most).toBe(500);
    expect(fileLimits.pageSeconds.most).toBe(30);
  });

  it("tells numbers in words", () => {
    expect([
      describeAmount(100e6, "pixels"),
      describeAmount(1e9, "bytes"),
      describeAmount(86_400, "seconds"),
      describeAmount(300, "seconds"),
      describeAmount(768_000, "Hz"),
      describeAmount(10_000, "parts"),
      describeAmount(16_384, "px"),
    ]).toEqual([
      ...["100 megapixels", "1 GB", "24 hours", "5 minutes", "768 kHz", "10,000 parts"],
      "16,384 pixels",
    ]);
  });
});

it("docs/limits.md says what the table says", async () => {
  await expect(renderLimits(describeLimits())).toMatchFileSnapshot("../../../docs/limits.md");
});
