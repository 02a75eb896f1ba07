import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

/** The variable with the path of the file that this reporter writes. */
export const outsideErrorsVariable = "OUTSIDE_ERRORS";

/**
 * A reporter of Vitest that writes the errors outside of tests, as a JSON array of texts: a promise that no one
 * awaited, a worker that ended, an `afterAll` that failed. Vitest ends with an error because of them, but its own
 * report has none.
 */
export default class OutsideErrorsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    addOutsideErrors([...errors.map(describeError), ...modules.flatMap(describeHooks)]);
  }
}

/** Adds errors that are found when the tests have ended, too. Without `npm test`, nothing reads them. */
export function addOutsideErrors(texts: readonly string[]): void {
  const path = process.env[outsideErrorsVariable];
  if (!path) return;
  const before: string[] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  writeFileSync(path, JSON.stringify([...before, ...texts]));
}

function describeError(error: SerializedError): string {
  const test = typeof error.VITEST_TEST_NAME === "string" ? ` (${error.VITEST_TEST_NAME})` : "";
  return `${error.stack ?? `${error.name}: ${error.message}`}${test}`;
}

/** What failed before or after the tests of a file or a group. A file without tests counts as a failure already. */
function describeHooks(module: TestModule): string[] {
  if ([...module.children.allTests()].length === 0) return [];
  const file = relative(process.cwd(), module.moduleId);
  const errorsOf = (place: TestModule | TestSuite, name: string) =>
    place.errors().map((error) => `${name}: ${describeError(error)}`);
  return [
    ...errorsOf(module, file),
    ...[...module.children.allSuites()].flatMap((suite) =>
      errorsOf(suite, `${file} > ${suite.fullName}`),
    ),
  ];
}
