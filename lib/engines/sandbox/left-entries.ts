import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxView } from "./bubblewrap/arguments.ts";
import { removeTree } from "./remove-tree.ts";

/**
 * Removes everything except regular files from the subfolders of `view` that are writable: links,
 * pipes, sockets, devices and folders. Returns whether there was anything. Call it when no process of
 * the sandbox is left. Throws if a subfolder is a link itself, which only an engine without a sandbox
 * can achieve.
 */
export async function removeIrregularEntries({
  folder,
  writable,
}: Required<Pick<SandboxView, "folder" | "writable">>): Promise<boolean> {
  let found = false;
  for (const name of writable) {
    const subfolder = join(folder, name);
    if (!(await lstat(subfolder)).isDirectory()) throw new Error(`${name} is not a folder`);
    for (const entry of await readdir(subfolder, { withFileTypes: true })) {
      if (entry.isFile()) continue;
      found = true;
      removeTree(join(subfolder, entry.name));
    }
  }
  return found;
}
