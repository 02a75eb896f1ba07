import { spawn } from "node:child_process";
import module from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { watchParent } from "./parent.mjs";

export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node.js 24 that comes with the packages. */
export const node24 = join(projectFolder, "node_modules", "node", "bin", "node");

/** Words before a program that uses the database: they halve the time that it takes to start. */
export const fastStart = ["--import", join(projectFolder, "scripts", "setup", "fast-modules.mjs")];

/** Whether this process runs on a Node.js that runs the project's TypeScript. */
export function isModern() {
  return Number(process.versions.node.split(".")[0]) >= 24;
}

/** Keeps compiled code from one start to the next, here and in every process started from here. */
export function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(projectFolder, "node_modules", ".cache", "compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/**
 * Runs the same script again on Node.js 24: passes its signals on, ends it when this process loses
 * its own parent, and exits as it exits.
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
