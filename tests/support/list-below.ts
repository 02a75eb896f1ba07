import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file or a folder below another folder. */
interface Entry {
  /** The path relative to that folder. */
  readonly path: string;
  readonly isFile: boolean;
}

/**
 * Everything below `folder` at any depth. What is deleted meanwhile is left out, at which the recursive list of Node.js
 * fails. Rejects if there is no such folder.
 */
export async function listBelow(folder: string): Promise<Entry[]> {
  const lists = (await readdir(folder, { withFileTypes: true })).map(async (entry) => {
    const one: Entry = { path: entry.name, isFile: entry.isFile() };
    if (!entry.isDirectory()) return [one];
    const below = await listBelow(join(folder, entry.name)).catch(whenDeleted);
    return [one, ...below.map(({ path, isFile }) => ({ path: join(entry.name, path), isFile }))];
  });
  return (await Promise.all(lists)).flat();
}

/** The paths of all files below `folder`, relative to it. */
export async function listFilesBelow(folder: string): Promise<string[]> {
  return (await listBelow(folder)).filter(({ isFile }) => isFile).map(({ path }) => path);
}

function whenDeleted(error: unknown): Entry[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
