import { join, resolve } from "node:path";
import type { WorkFile } from "../sandbox/work-folder.ts";

/** Files as a worker sees them. Its slot folder is its working directory. */

/** The folder that a worker can write: `out` of its slot folder. */
export const workerFolder = resolve("out");

/** An input under its name in the slot folder. */
export function openSlotFile(name: string): WorkFile {
  return { name, path: resolve(name), extension: name.slice(name.lastIndexOf(".") + 1) };
}

/** A file at the top level of the worker's folder. */
export function openOwnFile(name: string): WorkFile {
  return { ...openSlotFile(name), path: join(workerFolder, name) };
}
