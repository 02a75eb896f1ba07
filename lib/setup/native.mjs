import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProgram, runQuietly } from "./command.mjs";
import { projectFolder } from "./node24.mjs";
import { printLine } from "./progress.mjs";

/**
 * Compiles the programs with which engines start faster: copies of sandboxes and of linked programs; see
 * docs/architecture/sandbox.md.
 */

const folder = join(projectFolder, "lib/engines/sandbox/native");

const programs = [
  { compiled: "zygote.so", source: "zygote.c", options: ["-shared", "-fPIC"] },
  { compiled: "sandboxes.bin", source: "sandboxes.c", options: [] },
];

/** @param {string} name */
const changedAt = (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;

/** @param {typeof programs[number]} program */
function isCurrent({ compiled, source }) {
  const changed = changedAt(compiled) ?? 0;
  return [source, "requests.h"].every((name) => changed >= (changedAt(name) ?? 0));
}

/** Whether there is nothing to do: what is compiled is newer than its source, or it cannot be compiled here. */
export function nativeIsCompiled() {
  if (process.platform !== "linux" || findProgram("gcc") === undefined) return true;
  return programs.every(isCurrent);
}

/** If it fails, the service runs without the program. */
export async function compileNative() {
  for (const program of programs.filter((one) => !isCurrent(one))) {
    const path = join(folder, program.compiled);
    // Another process may just use it.
    const target = `${path}.${process.pid}`;
    const options = [...program.options, "-O2", "-Wall", "-Wextra", "-o", target];
    try {
      await runQuietly("gcc", [...options, join(folder, program.source)]);
      renameSync(target, path);
    } catch (error) {
      rmSync(target, { force: true });
      printLine(`engines start slower: ${/** @type {Error} */ (error).message}`);
    }
  }
}
