import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processPath } from "./process-folder.ts";

/** The path of a UNIX socket has at most 108 bytes on Linux and 104 on macOS. */
const maxSocketPath = 100;

/**
 * Creates a folder for the UNIX socket `socketName`, readable by this user only: in the process folder
 * (in `parent`), or a temporary one if that path is too long. The caller removes it.
 */
export async function createSocketFolder(
  parent: string,
  kind: string,
  socketName: string,
): Promise<string> {
  const folder = processPath(parent, `${kind}-${randomBytes(3).toString("hex")}`);
  if (join(folder, socketName).length > maxSocketPath) {
    return mkdtemp(join(tmpdir(), `mediamill-${kind}-`));
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
