import { join } from "node:path";
import { projectFolder } from "../setup/node24.mjs";
import { runProgram } from "./program.ts";

const bin = (name: string, ...path: string[]) => join(projectFolder, "node_modules", name, ...path);

/** The tests that are fast: they need neither a database nor a build. */
const unitTests = [
  "tests/layers.test.ts",
  "tests/lib",
  "tests/components",
  "--exclude=tests/lib/engines/**",
];

const checks: readonly (readonly string[])[] = [
  [bin("@biomejs/biome", "bin", "biome"), "ci"],
  [bin("typescript", "bin", "tsc"), "--noEmit"],
  [bin("vitest", "vitest.mjs"), "run", "--project=unit", ...unitTests],
];

/** `npm run verify`: format, lint, types, layer rules, unit tests; ends at the first that fails. */
export async function verify(): Promise<void> {
  for (const check of checks) {
    const code = await runProgram(check);
    if (code !== 0) process.exit(code);
  }
  process.exit(0);
}
