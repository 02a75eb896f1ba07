import type { ListedFile, ListPage, ListRequest } from "./store.ts";

/** One entry of a folder, with its whole path. */
export type FolderEntry =
  | { readonly kind: "folder"; readonly path: string }
  | ({ readonly kind: "file" } & ListedFile);

/** At most this many folders are read for one page; the page ends early then. */
const maxFolders = 100;

/**
 * A page of the files below a prefix, for stores with folders: depth first, by name, or only what is in the folder of
 * the prefix. `readFolder` gets a path without a slash at its end, empty for the root, and returns nothing for a folder
 * that does not exist.
 */
export async function listTree(
  { prefix, cursor = "", limit, isFlat = false }: ListRequest,
  readFolder: (path: string) => Promise<readonly FolderEntry[]>,
): Promise<ListPage> {
  const files: ListedFile[] = [];
  const folders: string[] = [];
  let readFolders = 0;
  let last = cursor;
  let isFull = false;

  /** Whether the page has room for what sorts as `key`. */
  function take(key: string): boolean {
    isFull = files.length + folders.length === limit;
    if (!isFull) last = key;
    return !isFull;
  }

  async function walk(folder: string): Promise<void> {
    // The next page begins with this folder. Those that hold it are read again.
    if (!cursor.startsWith(`${folder}/`) && readFolders++ >= maxFolders) {
      isFull = true;
      last = `${folder}/`;
      return;
    }
    const entries = [...(await readFolder(folder))].sort((one, other) =>
      sortKey(one) < sortKey(other) ? -1 : 1,
    );
    for (const entry of entries) {
      if (isFull) return;
      if (entry.kind === "folder") {
        const key = `${entry.path}/`;
        if (isFlat) {
          if (key <= cursor) continue;
          if (!take(key)) return;
          folders.push(key);
          continue;
        }
        const isWanted = key.startsWith(prefix) || prefix.startsWith(key);
        // All its files come before the cursor, unless the cursor is one of them.
        const isPast = key < cursor && !cursor.startsWith(key);
        if (isWanted && !isPast) await walk(entry.path);
        continue;
      }
      if (!entry.path.startsWith(prefix) || entry.path <= cursor) continue;
      if (!take(entry.path)) return;
      const { kind: _, ...file } = entry;
      files.push(file);
    }
  }

  const start = prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/")) : "";
  await walk(start);
  return { files, folders, nextCursor: isFull && last !== "" ? last : null };
}

/** In the order in which whole paths sort: a folder by its name with the slash. */
const sortKey = (entry: FolderEntry) => (entry.kind === "folder" ? `${entry.path}/` : entry.path);

/** The folders that hold a path, the outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** The path under which a file is received before it gets its own: next to it, and hidden. */
export function temporaryPath(path: string, attemptName: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return `${folder}.${attemptName}.part`;
}
