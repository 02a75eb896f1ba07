import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "../build-service.ts";
import { runProgram } from "../run-program.ts";
import { fileCostsVariable } from "./file-costs-reporter.ts";
import { measureSlowness } from "./machine-speed.ts";
import { createMemoryFolder } from "./memory-folder.ts";
import { outsideErrorsVariable } from "./outside-errors-reporter.ts";
import { selectChangedTests } from "./select-changed-tests.ts";
import {
  costsBySuite,
  costsOfPlaywright,
  costsOfVitest,
  type FileCost,
  renderCosts,
  renderSlowest,
} from "./suite-costs.ts";
import {
  playwrightErrors,
  playwrightFailures,
  renderFailures,
  type TestFailure,
  vitestFailures,
} from "./test-failures.ts";
import { playwrightTotals, type Totals, vitestTotals } from "./test-totals.ts";

/** What `npm test` was asked to run. */
interface TestSelection {
  /** Files or folders of tests; empty: all. */
  readonly filters: readonly string[];
  /** A part of the tests' names; undefined: all tests of the files. */
  readonly name?: string | undefined;
}

/** What one test runner reported. */
interface SuiteReport {
  readonly totals: Totals;
  readonly costs: readonly FileCost[];
  readonly failures: readonly TestFailure[];
}

/** How the JSON report of one test runner is read. */
interface ReportReader {
  totals(report: unknown): Totals;
  costs(report: unknown): FileCost[];
  failures(report: unknown): TestFailure[];
  /** The texts of errors that no test caught. */
  outsideErrors(report: unknown): string[];
}

/** What all suites together may take on two quiet cores of the reference machine. Past it, the output says so. */
const longestRunMinutes = 30;

/** A run that takes longer than this share of what it may take fails. */
const toleratedShare = 1.5;

/** How much of a suite's error output is shown with a failure that its report does not have, in characters. */
const lastErrorsLength = 2_000;

/** The folder of Playwright's tests. All other tests are Vitest's. */
const browserTests = join("tests", "e2e");

/** Tests that start the built service, and so need the web app. */
const serviceTests = [browserTests, join("tests", "api"), join("tests", "faults")];

/**
 * `npm test`: builds, runs all tests, and prints one line with the totals of all suites.
 *
 * @param args files or folders of tests to run, and `-t <text>`: only tests whose name contains the text; or
 *   `--changed[=<ref>]`: only tests for the files that differ from `ref` (default: HEAD, for uncommitted
 *   changes); empty: all tests
 */
export async function runTests(args: readonly string[]): Promise<void> {
  const ref = parseChanged(args);
  const selection =
    ref === undefined ? parseSelection(args) : { filters: await selectChangedTests(ref) };
  const { filters } = selection;
  if (ref !== undefined && filters.length === 0) {
    process.stdout.write("No tests to run.\n");
    process.exit(0);
  }
  const needsBuild = (path: string) =>
    serviceTests.some((folder) => {
      const filter = normalize(path);
      return filter.startsWith(folder) || folder.startsWith(filter);
    });
  if (filters.length === 0 || filters.some(needsBuild)) await buildService();
  return runSuites(selection);
}

/** The revision of `--changed`; undefined without that option. Throws `StartError`. */
function parseChanged(args: readonly string[]): string | undefined {
  const option = args.find((arg) => /^--changed(=|$)/.test(arg));
  if (option === undefined) return undefined;
  if (args.length > 1) throw new StartError("--changed: must be the only argument");
  return option.slice("--changed=".length) || "HEAD";
}

/** Throws `StartError` for other options, and for `-t` without a text. */
function parseSelection(args: readonly string[]): TestSelection {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { testNamePattern: { type: "string", short: "t" } },
      allowPositionals: true,
    });
    return { filters: positionals, name: values.testNamePattern };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartError(`npm test: ${error.message}`);
  }
}

async function runSuites({ filters, name }: TestSelection): Promise<void> {
  const memoryFolder = createMemoryFolder();
  // All programs that the tests start put their temporary files there, too.
  if (memoryFolder !== undefined) process.env.TMPDIR = memoryFolder;
  // The programs of the system, as in sandboxes. Version managers have scripts in front of theirs, which take longer.
  if (process.platform === "linux") {
    const own = join(projectFolder, "node_modules", ".bin");
    process.env.PATH = [own, "/usr/bin", "/bin", process.env.PATH].join(":");
  }
  const reports = mkdtempSync(join(tmpdir(), "mediamill-reports-"));
  const inBrowser = filters.filter((filter) => normalize(filter).startsWith(browserTests));
  const others = filters.filter((filter) => !inBrowser.includes(filter));
  // At both ends of a whole run, because machines of CI share their cores, and the load changes.
  const slownessBefore = filters.length === 0 ? measureSlowness() : 1;
  const startedAt = performance.now();
  const runs: Promise<SuiteReport>[] = [];
  if (filters.length === 0 || others.length > 0)
    runs.push(runVitest(join(reports, "vitest.json"), { filters: others, name }));
  // At the same time, because both wait a lot. Its output follows when both have ended.
  const browserOutput = join(reports, "playwright.log");
  if (filters.length === 0 || inBrowser.length > 0)
    runs.push(
      runPlaywright(
        join(reports, "playwright.json"),
        { filters: inBrowser, name },
        runs.length > 0 ? browserOutput : undefined,
      ),
    );
  const suites = await Promise.all(runs);
  if (existsSync(browserOutput)) process.stdout.write(`\n${readFileSync(browserOutput, "utf8")}`);
  rmSync(memoryFolder ?? reports, { recursive: true, force: true, maxRetries: 3 });
  const minutes = (performance.now() - startedAt) / 60_000;
  const passed = suites.reduce((sum, { totals }) => sum + totals.passed, 0);
  const failed = suites.reduce((sum, { totals }) => sum + totals.failed, 0);
  const costs = suites.flatMap((suite) => suite.costs);
  process.stdout.write(`\n${renderCosts(costsBySuite(costs))}\n\n${renderSlowest(costs)}\n\n`);
  const isLong = minutes > longestRunMinutes;
  const slowness = isLong ? Math.max(slownessBefore, measureSlowness()) : 1;
  const allowed = longestRunMinutes * slowness;
  process.stdout.write(`${describeDuration(minutes, allowed, slowness)}\n`);
  // Other work on the machine explains some of it, but not half as much again.
  const isTooLong = minutes > allowed * toleratedShare;
  const failures = renderFailures(suites.flatMap((suite) => suite.failures));
  if (failures !== "") process.stdout.write(`\n${failures}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed > 0 || passed === 0 || isTooLong ? 1 : 0);
}

/**
 * Describes how long the tests took. `slowness` is that of this machine; `allowed` is what the
 * tests may take on it, in minutes.
 */
function describeDuration(minutes: number, allowed: number, slowness: number): string {
  const machine = `on this machine, which is ${slowness.toFixed(1)} times as slow as the reference`;
  const note =
    minutes > allowed ? `, more than the ${allowed.toFixed(0)} that they may take ${machine}` : "";
  return `The tests took ${minutes.toFixed(0)} minutes${note}.`;
}

async function runVitest(report: string, { filters, name }: TestSelection): Promise<SuiteReport> {
  const vitest = join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  const costs = `${report}.costs`;
  const outsideErrors = `${report}.errors`;
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    `--reporter=${join(import.meta.dirname, "file-costs-reporter.ts")}`,
    `--reporter=${join(import.meta.dirname, "outside-errors-reporter.ts")}`,
  ];
  const named = name === undefined ? [] : ["-t", RegExp.escape(name)];
  const args = [vitest, "run", ...reporters, ...named, ...filters];
  const variables = { [fileCostsVariable]: costs, [outsideErrorsVariable]: outsideErrors };
  let lastErrors = "";
  const code = await runProgram(args, variables, "inherit", (text) => {
    lastErrors = (lastErrors + text).slice(-lastErrorsLength);
  });
  return readReport("Vitest", report, code, lastErrors, {
    totals: vitestTotals,
    costs: () => (existsSync(costs) ? costsOfVitest(readJson(costs), projectFolder) : []),
    failures: (parsed) => vitestFailures(parsed, projectFolder),
    outsideErrors: () =>
      existsSync(outsideErrors) ? z.array(z.string()).parse(readJson(outsideErrors)) : [],
  });
}

/** @param output a file that gets the output, in place of the terminal */
async function runPlaywright(
  report: string,
  { filters, name }: TestSelection,
  output?: string,
): Promise<SuiteReport> {
  const playwright = join(projectFolder, "node_modules", "@playwright", "test", "cli.js");
  const named = name === undefined ? [] : ["-g", RegExp.escape(name)];
  const args = [...fastStart, playwright, "test", "--reporter=list,json", ...named, ...filters];
  const file = output === undefined ? undefined : openSync(output, "w");
  // Vitest's workers keep the cores busy. A second browser would only make every test slower.
  if (file !== undefined) args.push("--workers=1");
  // Node.js runs the TypeScript itself. Playwright would compile it in each run, in 15 seconds of CPU time.
  const variables = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PW_DISABLE_TS_ESM: "1" };
  const code = await runProgram(args, variables, file);
  if (file !== undefined) closeSync(file);
  return readReport("Playwright", report, code, "", {
    totals: playwrightTotals,
    costs: (parsed) => costsOfPlaywright(parsed, browserTests),
    failures: (parsed) => playwrightFailures(parsed, browserTests),
    outsideErrors: playwrightErrors,
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** A suite may also fail outside its tests: in its set-up, when it ends, or by an uncaught error. */
function readReport(
  runner: string,
  path: string,
  exitCode: number,
  lastErrors: string,
  read: ReportReader,
): SuiteReport {
  const outside = (message: string): TestFailure => ({
    file: runner,
    name: "(outside its tests)",
    message,
    passedWhenTriedAgain: false,
  });
  if (!existsSync(path))
    return {
      totals: { passed: 0, failed: 1 },
      costs: [],
      failures: [outside(`It wrote no report. The last errors of its output:\n${lastErrors}`)],
    };
  const report = readJson(path);
  const totals = read.totals(report);
  const costs = read.costs(report);
  const failures = read.failures(report);
  const errors = read.outsideErrors(report);
  if (exitCode !== 0 && totals.failed === 0 && errors.length === 0)
    errors.push(
      `It ended with exit code ${exitCode}. The last errors of its output:\n${lastErrors}`,
    );
  return {
    totals: { ...totals, failed: totals.failed + errors.length },
    costs,
    failures: [...failures, ...errors.map(outside)],
  };
}
