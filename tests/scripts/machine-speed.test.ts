import { expect, it } from "vitest";
import { measureSlowness } from "#scripts/commands/test/machine-speed.ts";

it("no machine counts as faster than the reference, and none as infinitely slow", () => {
  const slowness = measureSlowness(1);
  expect(slowness).toBeGreaterThanOrEqual(1);
  expect(slowness).toBeLessThan(100);
});
