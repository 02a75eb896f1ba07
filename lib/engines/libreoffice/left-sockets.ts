import { lstatSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/** Where LibreOffice creates its sockets, regardless of the environment (sal/osl/unx/pipe.cxx). */
export const socketFolder = "/tmp";

/** The start of the names of sockets by which it finds out whether it already runs for a profile. */
const prefix = "OSL_PIPE_SingleOfficeIPC_";

/**
 * Removes the sockets of this user's LibreOffice processes that have ended. At the level `strict`, they
 * may not do it themselves, and a process that is killed cannot.
 */
export async function removeLeftSockets(): Promise<void> {
  const names = readdirSync(socketFolder).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map((name) => removeIfLeft(join(socketFolder, name))));
}

async function removeIfLeft(path: string): Promise<void> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isSocket() || entry.uid !== process.getuid?.()) return;
  if (await isRefused(path)) rmSync(path, { force: true });
}

/** Whether no process listens on the socket. */
function isRefused(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once("connect", () => resolve(false));
  socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}
