import { closeSync, constants, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** A depth that no folder of an engine reaches; each level needs an open file. */
const maxDepth = 100;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Removes what is at `path`: a folder with all that it contains, or anything else. Never follows a
 * link, even if a process replaces a folder with one at the same time, which `rm` of node:fs does
 * not exclude: on Linux, each folder is read and emptied through its open file.
 */
export function removeTree(path: string, depth = 0): void {
  if (depth > maxDepth) throw new Error("folders are nested too deeply");
  try {
    unlinkSync(path);
    return;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return;
    // Linux answers EISDIR for a folder, others EPERM.
    if (code !== "EISDIR" && code !== "EPERM") throw error;
  }
  const folder = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const opened = process.platform === "linux" ? `/proc/self/fd/${folder}` : path;
    for (const name of readdirSync(opened)) removeTree(join(opened, name), depth + 1);
  } finally {
    closeSync(folder);
  }
  rmdirSync(path);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
