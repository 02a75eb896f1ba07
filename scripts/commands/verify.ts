import { join } from "node:path";
import { projectFolder } from "../setup/node24.mjs";
import { runProgram } from "./run-program.ts";

const bin = (name: string, ...path: string[]) => join(projectFolder, "node_modules", name, ...path);

/** The fast tests: they need neither a database nor a build. */
const unitTests = [
  "tests/layers.test.ts",
  "tests/vocabulary.test.ts",
  "tests/lib",
  "tests/components",
  "tests/scripts/catalogue.test.ts",
  "--exclude=tests/lib/engines/**",
];

/** biome itself does not know the variable. */
const colors = process.env.NO_COLOR ? ["--colors=off"] : [];

const checks: readonly (readonly string[])[] = [
  [bin("@biomejs/biome", "bin", "biome"), "ci", ...colors],
  [bin("typescript", "bin", "tsc"), "--noEmit"],
  [bin("vitest", "vitest.mjs"), "run", "--project=unit", ...unitTests],
];

/** `npm run verify`: format, lint, types, layer rules, unit tests. Stops at the first failure. */
export async function verify(): Promise<void> {
  for (const check of checks) {
    const code = await runProgram(check);
    if (code !== 0) process.exit(code);
  }
  process.exit(0);
}
