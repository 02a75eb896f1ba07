import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** The variable with the path of the file that this reporter writes. */
export const outsideErrorsVariable = "OUTSIDE_ERRORS";

/**
 * A reporter of Vitest that writes the errors that no test caught, as a JSON array of texts: a promise that
 * no one awaited, a worker that ended. Vitest ends with an error because of them, but its own report has none.
 */
export default class OutsideErrorsReporter implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const path = process.env[outsideErrorsVariable];
    if (path) writeFileSync(path, JSON.stringify(errors.map(describeError)));
  }
}

function describeError(error: SerializedError): string {
  const test = typeof error.VITEST_TEST_NAME === "string" ? ` (${error.VITEST_TEST_NAME})` : "";
  return `${error.stack ?? `${error.name}: ${error.message}`}${test}`;
}
