import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { FileCost } from "./suite-costs.ts";

/** The variable with the path of the file that this reporter writes. */
export const fileCostsVariable = "FILE_COSTS";

/**
 * A reporter of Vitest that writes what each test file costs, as a JSON array of `FileCost` with absolute
 * paths. Vitest's own report leaves out what a worker does before the first test: starting, and loading
 * the modules.
 */
export default class FileCostsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[fileCostsVariable];
    if (path) writeFileSync(path, JSON.stringify(modules.map(costOf)));
  }
}

function costOf(module: TestModule): FileCost {
  const one = module.diagnostic();
  const preparedMs = one.environmentSetupDuration + one.prepareDuration + one.setupDuration;
  return {
    file: module.moduleId,
    tests: [...module.children.allTests()].length,
    seconds: (preparedMs + one.collectDuration + one.duration) / 1000,
  };
}
