/** The files of playground forms in the browser's own database, so that a reload does not lose them. */

const databaseName = "mediamill-playground";
const storeName = "files";

/** More bytes are not copied into the database. */
const maxSavedBytes = 500_000_000;

/** Milliseconds after which the files of a tab that is gone are deleted. */
const lifetimeMs = 24 * 3_600_000;

/** The files of one tab by their part. */
export type SavedFiles = Readonly<Record<string, readonly File[]>>;

interface Entry {
  readonly accountId: string;
  readonly savedAt: number;
  readonly files: SavedFiles;
}

/** Replaces the files of a tab. Files that are too large in total are not kept. */
export async function saveFiles(tab: string, accountId: string, files: SavedFiles): Promise<void> {
  const all = Object.values(files).flat();
  const isSmall = all.reduce((sum, { size }) => sum + size, 0) <= maxSavedBytes;
  const entry = { accountId, savedAt: Date.now(), files } satisfies Entry;
  const isKept = all.length > 0 && isSmall;
  if (isKept) await withStore("readwrite", (store) => store.put(entry, tab));
  else await withStore("readwrite", (store) => store.delete(tab));
}

/** The files of a tab. Deletes those of other accounts and of tabs that are gone. */
export async function loadFiles(tab: string, accountId: string): Promise<SavedFiles> {
  const keys = await withStore("readonly", (store) => store.getAllKeys());
  let found: SavedFiles = {};
  for (const key of keys) {
    // Written by `saveFiles`.
    const entry = (await withStore("readonly", (store) => store.get(key))) as Entry | undefined;
    const isOwn = entry?.accountId === accountId && Date.now() - entry.savedAt < lifetimeMs;
    if (!isOwn) await withStore("readwrite", (store) => store.delete(key));
    else if (key === tab) found = entry.files;
  }
  return found;
}

async function withStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  const database = await resultOf(opening);
  try {
    return await resultOf(work(database.transaction(storeName, mode).objectStore(storeName)));
  } finally {
    database.close();
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
}
