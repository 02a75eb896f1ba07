import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { runProgram } from "./run-program.ts";

const bin = (name: string, ...path: string[]) => join(projectFolder, "node_modules", name, ...path);
const projects = ["unit", "components", "operations"].map((name) => `--project=${name}`);
const vitest = [bin("vitest", "vitest.mjs"), "run", ...projects];

/** biome itself does not know the variable. */
const colors = process.env.NO_COLOR ? ["--colors=off"] : [];

/** The parts of `npm run verify`, in their order, with the program and arguments of each. */
const parts = {
  format: [bin("@biomejs/biome", "bin", "biome"), "ci", ...colors],
  types: [bin("typescript", "bin", "tsc"), "--noEmit"],
  layers: [...vitest, "tests/layers.test.ts", "tests/vocabulary.test.ts"],
  // The fast tests: they need neither a database nor a build.
  unit: [
    ...vitest,
    "tests/lib",
    "tests/components",
    "tests/scripts/catalogue.test.ts",
    "--exclude=tests/lib/engines/**",
    "--exclude=tests/lib/operations/shared/**",
  ],
} as const satisfies Record<string, readonly string[]>;

type Part = keyof typeof parts;

/** Uses one core, and so runs at the same time as the others. Its output follows theirs. */
const background: Part = "types";

/** What repairs a failed part, where a command does. */
const repairs: Partial<Record<Part, string>> = { format: "npx biome check --write" };

function isPart(name: string): name is Part {
  return Object.hasOwn(parts, name);
}

/**
 * `npm run verify [-- <part> …]`: checks format and lint, types, layer rules and vocabulary, and runs the
 * unit tests. Runs all parts, also when one fails, and lists the failed ones at the end.
 *
 * @param names the parts to run; empty: all. Throws `StartError` for an unknown one.
 */
export async function verify(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !isPart(name));
  if (unknown !== undefined)
    throw new StartError(`verify: ${unknown} is not one of ${Object.keys(parts).join(", ")}`);
  // Object.keys types keys as text.
  const chosen = (Object.keys(parts) as Part[]).filter(
    (part) => names.length === 0 || names.includes(part),
  );
  const inBackground = chosen.length > 1 && chosen.includes(background);
  const types = inBackground ? runUnseen(background) : undefined;
  const failed: Part[] = [];
  for (const part of chosen) {
    if (types && part === background) continue;
    process.stdout.write(`\n${part}\n`);
    if ((await runProgram(parts[part])) !== 0) failed.push(part);
  }
  if (types) {
    const { code, output } = await types;
    process.stdout.write(`\n${background}\n${output}`);
    if (code !== 0) failed.push(background);
  }
  const lines = failed.map((part) => {
    const repair = repairs[part];
    return `  npm run verify -- ${part}${repair ? `   (repair: ${repair})` : ""}\n`;
  });
  process.stdout.write(failed.length > 0 ? `\nFailed:\n${lines.join("")}` : "\nAll passed.\n");
  process.exit(failed.length > 0 ? 1 : 0);
}

/** Runs a part and keeps its output. */
async function runUnseen(part: Part): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-verify-"));
  const path = join(folder, part);
  const file = openSync(path, "w");
  const code = await runProgram(parts[part], {}, file);
  closeSync(file);
  const output = readFileSync(path, "utf8");
  rmSync(folder, { recursive: true });
  return { code, output };
}
