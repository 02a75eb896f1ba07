import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./node24.mjs";

/**
 * Faults of packages that end the service or make it stand still, repaired in node_modules. Whenever packages are
 * installed or a command starts, as for the lists of operations.
 */

/** @typedef {readonly (readonly [faulty: string, repaired: string])[]} Replacements */

/**
 * What postgres.js 3.4.9 does while its connection is lost:
 *
 * - A statement that begins between the error of the connection and its end is never rejected.
 * - If the server closes a connection that is being opened, without an error, it is opened again at once, and so on,
 *   and the statement waits. A proxy does so while it has no server. With several hosts, the next one is tried.
 * - Of a statement that has got an error or rows before the end, they become those of the next one.
 * - If something was still to be written, the connection writes nothing to its next socket.
 *
 * @type {Replacements}
 */
const connectionRepairs = [
  [
    "    if (initial)\n      return reconnect()\n",
    "    if (initial && options.host[1])\n      return reconnect()\n",
  ],
  ["!hadError && (query || sent.length) && error(", "if (initial || query || sent.length) error("],
  [
    "    closedTime = performance.now()\n    hadError &&",
    "    query = results = errorResponse = null\n    result = new Result()\n    rows = 0\n    closedTime = performance.now()\n    hadError &&",
  ],
  [
    "incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.remove",
    "incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.remove",
  ],
];

/**
 * A transaction that has lost its connection still sends its ROLLBACK, which ends the process, and its later statements,
 * which run on the next connection without a transaction.
 *
 * @type {Replacements}
 */
const transactionRepairs = [
  ["      , prepare = null\n", "      , prepare = null\n      , lost = null\n"],
  [
    "connection.onclose = reject)\n      ])",
    "connection.onclose = e => reject(lost = e))\n      ])",
  ],
  [
    "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
    "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n",
  ],
];

/**
 * By path from the project's folder.
 *
 * @type {readonly (readonly [file: string, replacements: Replacements])[]}
 */
export const repairedFiles = [
  ["node_modules/postgres/src/connection.js", connectionRepairs],
  ["node_modules/postgres/cjs/src/connection.js", connectionRepairs],
  ["node_modules/postgres/src/index.js", transactionRepairs],
  ["node_modules/postgres/cjs/src/index.js", transactionRepairs],
];

/** Repairs the installed packages. Does nothing if they are not installed, or have other code. */
export function repairPackages() {
  for (const [path, replacements] of repairedFiles) {
    const file = join(projectFolder, path);
    if (!existsSync(file)) continue;
    const installed = readFileSync(file, "utf8");
    const repaired = replacements.reduce(
      (text, [from, to]) => (text.includes(to) ? text : text.replace(from, to)),
      installed,
    );
    if (repaired === installed) continue;
    replaceIfAllowed(file, repaired);
  }
}

/**
 * Replaces a file, unless this user may not: then the next installation of the packages does it.
 *
 * @param {string} file
 * @param {string} content
 */
function replaceIfAllowed(file, content) {
  // A process that starts at the same time reads one or the other.
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content);
    renameSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
}
