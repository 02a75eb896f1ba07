import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { buildIfChanged } from "#lib/supervisor/build.ts";
import { projectFolder } from "../setup/node24.mjs";
import { runProgram } from "./program.ts";
import { type Totals, totalsOfPlaywright, totalsOfVitest } from "./totals.ts";

/** Where Playwright's tests are; all others are Vitest's. */
const browserTests = join("tests", "e2e");

/**
 * `npm test`: the build, every test, and one line with the totals of all suites at the end.
 *
 * @param filters files or folders under tests/ to run alone; empty: all
 */
export async function runTests(filters: readonly string[]): Promise<void> {
  await buildIfChanged();
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
  return atLeastOneFailed(code, readReport(report, totalsOfVitest));
}

async function runPlaywright(report: string, filters: readonly string[]): Promise<Totals> {
  const playwright = join(projectFolder, "node_modules", "@playwright", "test", "cli.js");
  const code = await runProgram([playwright, "test", "--reporter=list,json", ...filters], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return atLeastOneFailed(code, readReport(report, totalsOfPlaywright));
}

function readReport(path: string, count: (report: unknown) => Totals): Totals {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  return count(JSON.parse(readFileSync(path, "utf8")));
}

/** A suite may fail beside its tests: at its set-up, or by an error that no test caught. */
function atLeastOneFailed(exitCode: number, totals: Totals): Totals {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}
