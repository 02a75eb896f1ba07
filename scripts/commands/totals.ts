import { z } from "zod";

/** How the tests of one suite ended. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** Of Vitest's JSON report. A file that could not be loaded has no tests and counts as one failure. */
export function totalsOfVitest(report: unknown): Totals {
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(report);
  const broken = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

/** Of Playwright's JSON report. A test that passed only when it was tried again has passed. */
export function totalsOfPlaywright(report: unknown): Totals {
  const { expected, unexpected, flaky } = playwrightReport.parse(report).stats;
  return { passed: expected + flaky, failed: unexpected };
}
