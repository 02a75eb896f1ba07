import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

/** A test that failed, or that passed only when it was tried again. */
export interface TestFailure {
  /** The path relative to the project folder. */
  readonly file: string;
  readonly name: string;
  /** The error of the first try, with its stack. */
  readonly message: string;
  readonly passedWhenTriedAgain: boolean;
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/**
 * Reads the failures from Vitest's JSON report; `root` is the project folder. A file that failed to
 * load is one failure.
 */
export function vitestFailures(report: unknown, root: string): TestFailure[] {
  return vitestReport.parse(report).testResults.flatMap((result) => {
    const file = relative(root, result.name);
    const tests = result.assertionResults;
    if (result.status === "failed" && tests.length === 0)
      return [
        { file, name: "(the file)", message: result.message ?? "", passedWhenTriedAgain: false },
      ];
    return tests
      .filter(({ status, failureMessages }) => status === "failed" || failureMessages.length > 0)
      .map(({ fullName, status, failureMessages }) => ({
        file,
        name: fullName.trim(),
        message: failureMessages[0] ?? "",
        passedWhenTriedAgain: status === "passed",
      }));
  });
}

const playwrightError = z.object({ message: z.string().optional(), stack: z.string().optional() });

const playwrightSuite = z.object({
  file: z.string(),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
  specs: z
    .array(
      z.object({
        title: z.string(),
        tests: z.array(
          z.object({
            status: z.string(),
            results: z.array(
              z.object({
                errors: z.array(playwrightError).optional(),
              }),
            ),
          }),
        ),
      }),
    )
    .optional(),
});

type PlaywrightSuite = z.output<typeof playwrightSuite>;

/** Reads the failures from Playwright's JSON report, whose files are relative to `folder`. */
export function playwrightFailures(report: unknown, folder: string): TestFailure[] {
  const { suites } = z.object({ suites: z.array(playwrightSuite) }).parse(report);
  return suites.flatMap((suite) => failuresOf(suite, folder));
}

/** The errors outside of tests in Playwright's JSON report: of the set-up of all tests, and of what follows them. */
export function playwrightErrors(report: unknown): string[] {
  const { errors } = z.object({ errors: z.array(playwrightError).default([]) }).parse(report);
  return errors.map(({ stack, message }) => stack ?? message ?? "an error without a message");
}

function failuresOf(suite: PlaywrightSuite, folder: string): TestFailure[] {
  const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ status, results }) => {
        const error = results.flatMap(({ errors = [] }) => errors)[0];
        return {
          file: `${folder}/${suite.file}`,
          name: title,
          message: error?.stack ?? error?.message ?? "",
          passedWhenTriedAgain: status === "flaky",
        };
      }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failuresOf(inner, folder))];
}

/** At most this much of an error is printed: enough for its message and the line of the test. */
const longestMessage = 3_000;

/** What the end of the output says of failures; empty without any. */
export function renderFailures(failures: readonly TestFailure[]): string {
  const list = (heading: string, members: readonly TestFailure[]) =>
    members.length === 0 ? [] : [heading, ...members.map(renderFailure), ""];
  return [
    ...list(
      "Passed only when tried again:",
      failures.filter(({ passedWhenTriedAgain }) => passedWhenTriedAgain),
    ),
    ...list(
      "Failed:",
      failures.filter(({ passedWhenTriedAgain }) => !passedWhenTriedAgain),
    ),
  ].join("\n");
}

function renderFailure({ file, name, message }: TestFailure): string {
  const lines = stripVTControlCharacters(message).slice(0, longestMessage).split("\n");
  return [`  ${file} > ${name}`, ...lines.map((line) => `    ${line}`)].join("\n");
}
