import { spawn } from "node:child_process";
import module from "node:module";
import { availableParallelism, constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { watchParent } from "./watch-parent.mjs";

export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node.js 24 binary of the npm package `node`. */
export const node24 = join(projectFolder, "node_modules", "node", "bin", "node");

/**
 * The argument of `node` for V8's own threads, which collect garbage and compile: with the main thread as many as there
 * are cores. Node.js starts four, which on two cores is a fifteenth more CPU time and 9 MB a process.
 */
const v8Threads = `--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`;

/**
 * Arguments of `node` for programs that use the database. They halve the start time. The space for the youngest objects
 * begins with the size that it has after a start; to grow to it, V8 would collect garbage for a tenth of the start.
 */
export const fastStart = [
  "--import",
  join(projectFolder, "lib", "setup", "fast-modules.mjs"),
  v8Threads,
  "--min-semi-space-size=4",
];

/** Arguments of `node` for the web process, whose youngest objects are mostly chunks of files that pass through. */
export const webStart = [...fastStart, "--max-semi-space-size=4"];

/**
 * Arguments of `node` for runners. Large files are never in their heap. By default, V8 lets the heap grow
 * to several times what is in use before it looks for garbage.
 */
export const runnerStart = [...fastStart, "--max-semi-space-size=4", "--max-old-space-size=1024"];

/** Whether this process's Node.js can run the project's TypeScript. */
export function isModern() {
  return Number(process.versions.node.split(".")[0]) >= 24;
}

/** Enables the on-disk compile cache for this process and its child processes. */
export function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(projectFolder, "node_modules", ".cache", "compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/**
 * Runs the same script on Node.js 24. Forwards signals, stops the script when the parent of this process
 * ends, and exits with the script's exit code.
 *
 * @param {string} script absolute path
 */
export function continueOnNode24(script) {
  const child = spawn(node24, [script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  watchParent(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) =>
    process.exit(code ?? 128 + constants.signals[signal ?? "SIGKILL"]),
  );
}
