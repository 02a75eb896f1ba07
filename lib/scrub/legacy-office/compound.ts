import type { Patch, PatchSource } from "../patch.ts";
import type { ScatteredBytes } from "./fragmented-bytes.ts";
import { Sectors } from "./sectors.ts";

/** OLE compound files (MS-CFB): a file system of storages and streams within a file. */

const signature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** More streams than any document has. */
const maxEntries = 65_536;

const entryBytes = 128;
const kinds = { unused: 0, storage: 1, stream: 2, root: 5 } as const;
/** Marks an absent sibling or child. */
const noEntry = 0xffffffff;

/** A folder of a compound file; the first one, with the empty name, is its root. */
export interface Storage {
  readonly name: string;
  /** By name. */
  readonly streams: ReadonlyMap<string, ScatteredBytes>;
}

export interface Compound {
  /** All of them, however deep. */
  readonly storages: readonly Storage[];
  /** What empties the places that hold nothing: free sectors, ends of sectors, dates of storages. */
  readonly leftovers: readonly Patch[];
}

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * Reads the tables and the directory of a compound file. Throws `RangeError` where they lead nowhere,
 * in circles, or to one sector twice.
 */
export async function readCompound(file: PatchSource): Promise<Compound> {
  const header = await file.read(0, 512);
  if (!header.subarray(0, 8).equals(signature)) throw new RangeError("no compound file");
  const isLarge = header.readUInt16LE(0x1e) === 12;
  const sectors = await Sectors.open(file, header, isLarge ? 4096 : 512);
  const directory = sectors.stream(header.readUInt32LE(0x30));
  if (directory.size > maxEntries * entryBytes) throw new RangeError("too many streams");
  const entries = readEntries(await directory.read(0, directory.size), isLarge);
  const root = entries[0];
  if (root?.kind !== kinds.root) throw new RangeError("no root");
  const mini = await sectors.openMini(header, root.start, root.size);
  const open = ({ start, size }: Entry) =>
    size < header.readUInt32LE(0x38) ? mini.stream(start, size) : sectors.stream(start, size);
  const storages = readTree(entries, open);
  return {
    storages,
    leftovers: [...forgetEntries(entries, directory), ...sectors.leftovers(), ...mini.leftovers()],
  };
}

function readEntries(directory: Buffer, isLarge: boolean): Entry[] {
  return Array.from({ length: directory.length / entryBytes }, (_, index) => {
    const entry = directory.subarray(index * entryBytes, (index + 1) * entryBytes);
    const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(0x40)) - 2); // without its NUL
    return {
      name: entry.toString("utf16le", 0, nameBytes),
      kind: entry.readUInt8(0x42),
      left: entry.readUInt32LE(0x44),
      right: entry.readUInt32LE(0x48),
      child: entry.readUInt32LE(0x4c),
      start: entry.readUInt32LE(0x74),
      // The upper half is undefined in files with small sectors.
      size: isLarge ? Number(entry.readBigUInt64LE(0x78)) : entry.readUInt32LE(0x78),
    };
  });
}

function readTree(entries: readonly Entry[], open: (entry: Entry) => ScatteredBytes): Storage[] {
  const storages: Storage[] = [];
  const seen = new Set<number>();
  const folders = [{ name: "", child: entries[0]?.child ?? noEntry }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const streams = new Map<string, ScatteredBytes>();
    storages.push({ name: folder.name, streams });
    const waiting = [folder.child];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === noEntry) continue;
      const entry = entries[id];
      if (!entry || seen.has(id)) throw new RangeError("the directory leads nowhere");
      seen.add(id);
      waiting.push(entry.left, entry.right);
      if (entry.kind === kinds.storage) folders.push(entry);
      if (entry.kind === kinds.stream) streams.set(entry.name, open(entry));
    }
  }
  return storages;
}

/** Dates of storages, and the names of those that were deleted. */
function forgetEntries(entries: readonly Entry[], directory: ScatteredBytes): Patch[] {
  const unused = Buffer.alloc(entryBytes);
  unused.fill(0xff, 0x44, 0x50);
  return entries.flatMap(({ kind }, index) =>
    kind === kinds.unused
      ? directory.write(index * entryBytes, unused)
      : directory.erase(index * entryBytes + 0x64, 16),
  );
}
