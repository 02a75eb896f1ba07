import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { buildIfChanged } from "#lib/supervisor/start/build.ts";
import { StartError } from "#lib/supervisor/start-error.ts";
import { projectFolder } from "../setup/node24.mjs";
import { runProgram } from "./run-program.ts";
import { selectChangedTests } from "./select-changed-tests.ts";
import { playwrightTotals, type Totals, vitestTotals } from "./test-totals.ts";

/** The folder of Playwright's tests. All other tests are Vitest's. */
const browserTests = join("tests", "e2e");

/** Tests that start the built service. */
const serviceTests = [browserTests, join("tests", "api"), join("tests", "faults")];

/**
 * `npm test`: builds, runs all tests, and prints one line with the totals of all suites.
 *
 * @param args files or folders of tests to run; or `--changed[=<ref>]`: only tests for the files that
 *   differ from `ref` (default: HEAD, for uncommitted changes); empty: all tests
 */
export async function runTests(args: readonly string[]): Promise<void> {
  const ref = parseChanged(args);
  if (ref === undefined) {
    await buildIfChanged();
    return runSuites(args);
  }
  const selected = await selectChangedTests(ref);
  if (selected.length === 0) {
    process.stdout.write("No tests to run.\n");
    process.exit(0);
  }
  const needsBuild = (path: string) => serviceTests.some((folder) => path.startsWith(folder));
  if (selected.some(needsBuild)) await buildIfChanged();
  return runSuites(selected);
}

/** The revision of `--changed`; undefined without that option. Throws `StartError`. */
function parseChanged(args: readonly string[]): string | undefined {
  const option = args.find((arg) => /^--changed(=|$)/.test(arg));
  if (option === undefined) return undefined;
  if (args.length > 1) throw new StartError("--changed: must be the only argument");
  return option.slice("--changed=".length) || "HEAD";
}

/** @param filters files or folders of tests; empty: all */
async function runSuites(filters: readonly string[]): Promise<void> {
  const reports = mkdtempSync(join(tmpdir(), "mediamill-reports-"));
  const inBrowser = filters.filter((filter) => normalize(filter).startsWith(browserTests));
  const others = filters.filter((filter) => !inBrowser.includes(filter));
  const suites: Totals[] = [];
  if (filters.length === 0 || others.length > 0)
    suites.push(await runVitest(join(reports, "vitest.json"), others));
  if (filters.length === 0 || inBrowser.length > 0)
    suites.push(await runPlaywright(join(reports, "playwright.json"), inBrowser));
  rmSync(reports, { recursive: true });
  const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

async function runVitest(report: string, filters: readonly string[]): Promise<Totals> {
  const vitest = join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await runProgram([vitest, "run", ...reporters, ...filters]);
  return atLeastOneFailed(code, readReport(report, vitestTotals));
}

async function runPlaywright(report: string, filters: readonly string[]): Promise<Totals> {
  const playwright = join(projectFolder, "node_modules", "@playwright", "test", "cli.js");
  const code = await runProgram([playwright, "test", "--reporter=list,json", ...filters], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return atLeastOneFailed(code, readReport(report, playwrightTotals));
}

function readReport(path: string, count: (report: unknown) => Totals): Totals {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  return count(JSON.parse(readFileSync(path, "utf8")));
}

/** A suite may fail outside its tests: in its set-up, or by an uncaught error. */
function atLeastOneFailed(exitCode: number, totals: Totals): Totals {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}
