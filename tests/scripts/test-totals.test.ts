import { expect, test } from "vitest";
import { playwrightTotals, vitestTotals } from "#scripts/commands/test/test-totals.ts";

test("a test file that could not be loaded counts as a failure", () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      { status: "failed", assertionResults: [{}, {}] },
      { status: "failed", assertionResults: [] },
      { status: "passed", assertionResults: [{}, {}] },
    ],
  };
  expect(vitestTotals(report)).toEqual({ passed: 3, failed: 2 });
});

test("a browser test that passed when tried again has passed", () => {
  const stats = { expected: 4, unexpected: 1, flaky: 2, skipped: 0 };
  expect(playwrightTotals({ stats })).toEqual({ passed: 6, failed: 1 });
});
