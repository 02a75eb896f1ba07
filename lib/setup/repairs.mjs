import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./node24.mjs";

/**
 * Faults of packages that make the service stand still, repaired in node_modules. Whenever packages are installed or a
 * command starts, as for the lists of operations.
 */

/**
 * In postgres.js 3.4.9, a statement that begins between the error of a connection and its end is never rejected, and
 * if something was still to be written at that time, the connection writes nothing to its next socket.
 *
 * @type {readonly (readonly [faulty: string, repaired: string])[]}
 */
const postgresRepairs = [
  [
    "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    "if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))",
  ],
  [
    "incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.remove",
    "incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.remove",
  ],
];

const repairedFiles = ["src", "cjs/src"].map((folder) =>
  join(projectFolder, "node_modules", "postgres", folder, "connection.js"),
);

/** Repairs the installed packages. Does nothing if they are not installed, or have other code. */
export function repairPackages() {
  for (const file of repairedFiles) {
    if (!existsSync(file)) continue;
    const installed = readFileSync(file, "utf8");
    const repaired = postgresRepairs.reduce(
      (text, [from, to]) => text.replace(from, to),
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
