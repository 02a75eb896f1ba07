import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProgram, runQuietly } from "./command.mjs";
import { projectFolder } from "./node24.mjs";
import { printLine } from "./progress.mjs";

/** Compiles the library with which ffmpeg is linked once instead of for each run; see docs/architecture/sandbox.md. */

const source = join(projectFolder, "lib/engines/sandbox/zygote/zygote.c");
const library = join(projectFolder, "lib/engines/sandbox/zygote/zygote.so");

/** Whether there is nothing to do: the library is newer than its source, or cannot be compiled here. */
export function zygoteIsCompiled() {
  if (process.platform !== "linux" || findProgram("gcc") === undefined) return true;
  const compiled = statSync(library, { throwIfNoEntry: false });
  return compiled !== undefined && compiled.mtimeMs >= statSync(source).mtimeMs;
}

/** If it fails, the service runs without the library. */
export async function compileZygote() {
  // Another process may just load the library.
  const target = `${library}.${process.pid}`;
  try {
    await runQuietly("gcc", ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-o", target, source]);
    renameSync(target, library);
  } catch (error) {
    rmSync(target, { force: true });
    printLine(`ffmpeg starts slower: ${/** @type {Error} */ (error).message}`);
  }
}
