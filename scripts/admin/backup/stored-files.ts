import { link, mkdir, open, opendir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** A file of the local storage. */
export interface StorageFile {
  /** Its key in the storage. */
  readonly key: string;
  readonly path: string;
}

/** All complete files below `folder`, without those that `holdFiles` has linked. */
export async function* listFiles(folder: string): AsyncGenerator<StorageFile> {
  for await (const path of walk(folder)) {
    // A file that is being written has another name until it is complete.
    if (!path.endsWith(".part")) yield { key: relative(folder, path), path };
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await orMissing(opendir(folder));
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(heldPrefix)) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

/** A stored file that is open for reading: then it can be read to its end even if it is deleted. */
export function openStored(path: string) {
  return orMissing(open(path));
}

/**
 * Links the files in `folders` of `storage` into a folder of it that is no key of the storage, so that they can be
 * read although their jobs end and delete them. Returns that folder. Costs no space.
 */
export async function holdFiles(storage: string, folders: readonly string[]): Promise<string> {
  const held = join(storage, `${heldPrefix}${process.pid}`);
  await releaseFiles(held);
  for (const folder of folders) {
    for await (const { key, path } of listFiles(join(storage, folder))) {
      const target = join(held, folder, key);
      await mkdir(dirname(target), { recursive: true });
      await orMissing(link(path, target));
    }
  }
  return held;
}

const heldPrefix = ".backup-";

/** Deletes what `holdFiles` has linked. */
export function releaseFiles(held: string): Promise<void> {
  return rm(held, { recursive: true, force: true });
}

async function orMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
