/** A file with its path in the folder or archive that it is from: `photos/a.jpg`. */
export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

/** What was dropped. Folders can be read only if the browser gives entries. */
type Dropped = Pick<DataTransfer, "files"> & {
  readonly items?: Iterable<Pick<DataTransferItem, "kind" | "webkitGetAsEntry">>;
};

/** The most files of one run. */
export const maxBatchFiles = 2000;

/** Files that systems add to folders; names that start with a period are left out, too. */
const systemFiles = new Set(["thumbs.db", "desktop.ini"]);

/**
 * The files of a drop, those of folders included, in the order of their paths. Must be called in the
 * event itself: after it, the browser no longer shows what was dropped.
 */
export async function readDropped(dropped: Dropped): Promise<DroppedFile[]> {
  const entries = [...(dropped.items ?? [])].flatMap((item) =>
    item.kind === "file" ? (item.webkitGetAsEntry?.() ?? []) : [],
  );
  if (!entries.some(({ isDirectory }) => isDirectory)) return fromList(dropped.files);
  const found: DroppedFile[] = [];
  for (const entry of entries) await readEntry(entry, found);
  return inOrder(found);
}

/** The files of a file input; of a folder, those in its folders, too. */
export function fromList(files: Iterable<File>): DroppedFile[] {
  return inOrder([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

function inOrder(files: readonly DroppedFile[]): DroppedFile[] {
  return files
    .filter(({ path }) => !isHidden(path))
    .toSorted((one, other) => collator.compare(one.path, other.path))
    .slice(0, maxBatchFiles);
}

/** Whether a file or one of its folders is none that people mean. */
export function isHidden(path: string): boolean {
  return path
    .split("/")
    .some(
      (name) => name.startsWith(".") || name === "__MACOSX" || systemFiles.has(name.toLowerCase()),
    );
}

/** Numbers in names count as numbers: `frame-2.png` is before `frame-10.png`. */
const collator = new Intl.Collator("en", { numeric: true });

async function readEntry(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  // One more than is taken, so that the form can say that there are more.
  if (found.length > maxBatchFiles || isHidden(entry.name)) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  // A reader gives at most 100 entries at once.
  for (;;) {
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (children.length === 0) return;
    for (const child of children) await readEntry(child, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
