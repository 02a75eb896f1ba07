import { z } from "zod";

/** The test results of one suite. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** The totals of Vitest's JSON report. A file that failed to load has no tests and counts as one failure. */
export function vitestTotals(report: unknown): Totals {
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(report);
  const broken = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

/** The totals of Playwright's JSON report. A test that passed on a retry counts as passed. */
export function playwrightTotals(report: unknown): Totals {
  const { expected, unexpected, flaky } = playwrightReport.parse(report).stats;
  return { passed: expected + flaky, failed: unexpected };
}
