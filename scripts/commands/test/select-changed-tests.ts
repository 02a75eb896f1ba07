import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";
import { projectFolder } from "#lib/setup/node24.mjs";
import { runProgram } from "../run-program.ts";
import {
  describeLeftOut,
  removeNested,
  type SelectedTests,
  selectByRules,
} from "./changed-tests.ts";
import { listChangedFiles } from "./list-changed-files.ts";

/** How many changed files are printed as the reason of a selection. */
const shownReasons = 3;

/**
 * The tests for the files that differ from `ref`: those that import a changed file, found by Vitest, and
 * those of the rules in `changed-tests.ts`. Prints the selection, its reasons, and what it leaves out. Throws `StartError` if
 * `ref` is unknown.
 */
export async function selectChangedTests(ref: string): Promise<string[]> {
  const changedFiles = listChangedFiles(ref);
  const byRules = selectByRules(changedFiles);
  const byImports = changedFiles.length > 0 ? await listTestsByImports(ref) : [];
  process.stdout.write(formatSelection(ref, changedFiles.length, byImports.length, byRules));
  const selected = removeNested([...byRules.map(({ tests }) => tests), ...byImports]);
  const leftOut = describeLeftOut(listTestFiles(), selected);
  if (selected.length > 0 && leftOut) process.stdout.write(`${leftOut}\n\n`);
  return selected;
}

/** All files of tests, relative to the project folder. */
function listTestFiles(): string[] {
  return globSync("{lib,tests}/**/*.{test,spec}.ts", { cwd: projectFolder });
}

const listedFiles = z.array(z.object({ file: z.string() }));

async function listTestsByImports(ref: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-changed-"));
  const report = join(folder, "files.json");
  const vitest = join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  await runProgram([vitest, "list", "--filesOnly", `--json=${report}`, `--changed=${ref}`]);
  const files = listedFiles.parse(JSON.parse(readFileSync(report, "utf8")));
  rmSync(folder, { recursive: true });
  return files.map(({ file }) => relative(projectFolder, file));
}

function formatSelection(
  ref: string,
  changedFiles: number,
  testsByImports: number,
  byRules: readonly SelectedTests[],
): string {
  const lines = byRules.map(({ tests, because }) => {
    const more = because.length > shownReasons ? `, and ${because.length - shownReasons} more` : "";
    return `  ${tests}: ${because.slice(0, shownReasons).join(", ")}${more}`;
  });
  return [
    `Files changed since ${ref}: ${changedFiles}. Selected tests:`,
    `  ${testsByImports} test files that import a changed file`,
    ...lines,
    "",
    "",
  ].join("\n");
}
