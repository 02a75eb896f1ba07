import { DamagedDataError } from "#lib/media/damaged-data.ts";
import {
  type DirectoryEntry,
  directoryEntryBytes,
  entryKinds,
  readDirectory,
  readOleHeader,
  walkStorage,
} from "../../ole/ole.ts";
import type { Patch, PatchSource } from "../patch.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";
import { Sectors } from "./sectors.ts";

/** OLE compound files (MS-CFB): a file system of storages and streams within a file. */

/** The number of directory entries after which a file is rejected. */
const maxEntries = 65_536;

/** A folder of a compound file; the first one, with the empty name, is its root. */
export interface CompoundStorage {
  readonly name: string;
  /** The streams by their names. */
  readonly streams: ReadonlyMap<string, FragmentedBytes>;
}

export interface CompoundFile {
  /** The storages of all levels. */
  readonly storages: readonly CompoundStorage[];
  /** Clear what belongs to no stream: free sectors, ends of sectors, dates of storages. */
  readonly slackPatches: readonly Patch[];
}

/**
 * Reads the tables and the directory of a compound file. Throws `RangeError` where one refers to a
 * sector or an entry that does not exist, or to the same one twice.
 */
export async function readCompoundFile(file: PatchSource): Promise<CompoundFile> {
  const header = readOleHeader(await file.read(0, 512));
  if (!header) throw new DamagedDataError("no compound file");
  const sectors = await Sectors.open(file, header);
  const directory = sectors.stream(header.directoryStart);
  if (directory.size > maxEntries * directoryEntryBytes)
    throw new DamagedDataError("too many streams");
  const entries = readDirectory(await directory.read(0, directory.size), header);
  const root = entries[0];
  if (root?.kind !== entryKinds.root) throw new DamagedDataError("no root");
  const mini = await sectors.openMini(header, root);
  const open = ({ start, size }: DirectoryEntry) =>
    size < header.miniStreamCutoff ? mini.stream(start, size) : sectors.stream(start, size);
  const storages = readStorages(entries, root, open);
  return {
    storages,
    slackPatches: [
      ...clearEntries(entries, directory),
      ...sectors.clearSlack(),
      ...mini.clearSlack(),
    ],
  };
}

function readStorages(
  entries: readonly DirectoryEntry[],
  root: DirectoryEntry,
  open: (entry: DirectoryEntry) => FragmentedBytes,
): CompoundStorage[] {
  const storages: CompoundStorage[] = [];
  const seen = new Set<number>();
  const waiting = [{ name: "", child: root.child }];
  for (let storage = waiting.pop(); storage; storage = waiting.pop()) {
    const streams = new Map<string, FragmentedBytes>();
    storages.push({ name: storage.name, streams });
    for (const entry of walkStorage(entries, storage, seen)) {
      if (!entry) throw new DamagedDataError("missing or repeated directory entry");
      if (entry.kind === entryKinds.storage) waiting.push(entry);
      if (entry.kind === entryKinds.stream) streams.set(entry.name, open(entry));
    }
  }
  return storages;
}

/** Clears the dates of storages, and the whole entries of what was deleted. */
function clearEntries(entries: readonly DirectoryEntry[], directory: FragmentedBytes): Patch[] {
  const unused = Buffer.alloc(directoryEntryBytes);
  unused.fill(0xff, 0x44, 0x50);
  return entries.flatMap(({ kind }, index) =>
    kind === entryKinds.unused
      ? directory.write(index * directoryEntryBytes, unused)
      : directory.clear(index * directoryEntryBytes + 0x64, 16),
  );
}
