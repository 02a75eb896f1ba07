import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { SetupError } from "./command.mjs";
import { isModern, node24, projectFolder } from "./node24.mjs";

/** Checks of the settings of a start, before work that takes minutes. The start itself repeats them. */

/** Why a server cannot listen on a port, by the error code. @type {Record<string, (name: string) => string>} */
export const portReasons = {
  EADDRINUSE: (name) => `is in use; set ${name} to a free port`,
  EACCES: (name) => `is reserved for root; set ${name} to a port above 1023`,
};

/**
 * The error code of listening on this address; undefined if it works.
 *
 * @param {number} port
 * @param {string | undefined} host
 * @returns {Promise<string | undefined>}
 */
export function tryListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Throws `SetupError` if web cannot listen on `PORT`. All that can be checked without packages; an invalid value is
 * left to `checkSettings`.
 */
export async function checkPort() {
  const port = process.env.PORT || "3000";
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return;
  const code = await tryListen(Number(port), process.env.HOST || undefined);
  const reason = portReasons[code ?? ""]?.("PORT");
  if (reason) throw new SetupError(`PORT: ${port} ${reason}`);
}

/**
 * Checks the variables, the ports and the data folder with a program of the project. Throws `SetupError` with its
 * message.
 *
 * @param {string} program
 */
export function checkSettings(program) {
  const node = isModern() ? process.execPath : node24;
  const { status, stderr } = spawnSync(node, [join(projectFolder, program)], { encoding: "utf8" });
  if (status === 0) return;
  throw new SetupError(stderr.trim() || `${program} failed (exit code ${status})`);
}
