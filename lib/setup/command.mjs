import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of system programs that PATH may not contain. */
const systemFolders = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/opt/homebrew/bin",
];

/** How much of a command's output is shown when it fails. */
const tailLines = 40;

/** A failed set-up step; `message` is for the terminal. */
export class SetupError extends Error {
  /** @override */
  name = "SetupError";
}

/** @typedef {"SIGTERM" | "SIGKILL"} StopSignal */

/** The commands that run, each with the signal that stops it. @type {Map<import("node:child_process").ChildProcess, StopSignal>} */
const running = new Map();

/**
 * The path of an executable, or undefined.
 *
 * @param {string} name
 */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...systemFolders];
  return folders
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a command without showing its output, except for the tail when it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, stopSignal?: StopSignal }} [options]
 *   `onLine` is called with each line of output; `stopSignal` stops the command with the set-up
 * @returns {Promise<void>} rejects with `SetupError`
 */
export function runQuietly(command, args, { cwd, env, onLine, stopSignal = "SIGTERM" } = {}) {
  // A separate process group, so that an interrupted set-up can stop all of it. setpriv stops the
  // command when the set-up is killed.
  const setpriv = process.platform === "linux" && findProgram("setpriv");
  const [file, ...rest] = setpriv
    ? [setpriv, "--pdeathsig", stopSignal.replace("SIG", ""), "--", command, ...args]
    : [command, ...args];
  const child = spawn(file, rest, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running.set(child, stopSignal);
  /** @type {string[]} */
  const tail = [];
  /** @param {Buffer} chunk */
  const collect = (chunk) => {
    for (const line of chunk.toString("utf8").split(/[\r\n]+/)) {
      if (line.trim() === "") continue;
      tail.push(line);
      if (tail.length > tailLines) tail.shift();
      onLine?.(line.trim());
    }
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve, reject) => {
    /** @param {string} reason */
    const fail = (reason) =>
      reject(new SetupError([...tail, `${command} ${args[0] ?? ""} ${reason}`].join("\n")));
    child.on("error", (error) => fail(`could not be started: ${error.message}`));
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) resolve();
      else fail(signal ? `was stopped by ${signal}` : `failed (exit code ${code})`);
    });
  });
}

/** Stops every running command with its process group. */
export function stopCommands() {
  for (const [{ pid }, stopSignal] of running) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, stopSignal);
    } catch {
      // It has ended.
    }
  }
}

/**
 * Whether a command exits with 0. Its output is not shown.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
