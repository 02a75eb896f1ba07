import type { ByteReader, ByteSource } from "#lib/media/byte-source.ts";

/** OLE compound files (MS-CFB): the container of DOC, XLS, PPT and of encrypted office files. */

/** The first eight bytes of every compound file. */
export const oleSignature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Values of the allocation table. Sector numbers end before `firstSpecialSector`. */
export const freeSector = 0xffffffff;
export const endOfChain = 0xfffffffe;
export const firstSpecialSector = 0xfffffffa;

/** Marks an absent sibling or child. */
const noEntry = 0xffffffff;

/** The type of a directory entry. */
export const entryKinds = { unused: 0, storage: 1, stream: 2, root: 5 } as const;

/** The size of a directory entry. */
export const directoryEntryBytes = 128;
const headerBytes = 512;
/** The allocation table's sectors that the header lists; further ones are in a chain. */
const headerTableCount = 109;

export interface OleHeader {
  /** The size of a sector: 512 (version 3) or 4096 (version 4). */
  readonly sectorBytes: number;
  /**
   * The first sectors of the directory, of the mini stream's table, and of the further table list.
   */
  readonly directoryStart: number;
  readonly miniTableStart: number;
  readonly tableListStart: number;
  /** Streams that are shorter are in the mini stream. */
  readonly miniStreamCutoff: number;
  /** The first 109 sectors of the allocation table; absent ones are special values. */
  readonly tables: readonly number[];
}

/** Reads a file's first 512 bytes; undefined if `bytes` has fewer or is no compound file. */
export function readOleHeader(bytes: Buffer): OleHeader | undefined {
  if (bytes.length < headerBytes || !bytes.subarray(0, 8).equals(oleSignature)) return undefined;
  return {
    sectorBytes: bytes.readUInt16LE(0x1e) === 12 ? 4096 : 512,
    directoryStart: bytes.readUInt32LE(0x30),
    miniStreamCutoff: bytes.readUInt32LE(0x38),
    miniTableStart: bytes.readUInt32LE(0x3c),
    tableListStart: bytes.readUInt32LE(0x44),
    tables: Array.from({ length: headerTableCount }, (_, index) =>
      bytes.readUInt32LE(0x4c + 4 * index),
    ),
  };
}

/** Where in the file a sector begins; the header takes the space of one. */
export function sectorOffset({ sectorBytes }: OleHeader, sector: number): number {
  return (sector + 1) * sectorBytes;
}

/** A stream or storage (MS-CFB, 2.6). Siblings and children are numbers of other entries. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  /** The stream's first sector, and its bytes. */
  readonly start: number;
  readonly size: number;
}

/** The entries of a directory; a last one that is cut off is left out. */
export function readDirectory(directory: Buffer, { sectorBytes }: OleHeader): DirectoryEntry[] {
  const count = Math.floor(directory.length / directoryEntryBytes);
  return Array.from({ length: count }, (_, index) => {
    const start = index * directoryEntryBytes;
    const entry = directory.subarray(start, start + directoryEntryBytes);
    const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(0x40)) - 2); // without its NUL
    return {
      name: entry.toString("utf16le", 0, nameBytes),
      kind: entry.readUInt8(0x42),
      left: entry.readUInt32LE(0x44),
      right: entry.readUInt32LE(0x48),
      child: entry.readUInt32LE(0x4c),
      start: entry.readUInt32LE(0x74),
      // The upper half is undefined in files with sectors of 512 bytes.
      size: sectorBytes === 512 ? entry.readUInt32LE(0x78) : Number(entry.readBigUInt64LE(0x78)),
    };
  });
}

/**
 * The content of the storage `parent`: the tree of siblings below its child. Adds their numbers to
 * `seen`. Yields undefined for a number that names no entry or is in `seen` already.
 */
export function* walkStorage(
  entries: readonly DirectoryEntry[],
  parent: Pick<DirectoryEntry, "child">,
  seen: Set<number>,
): Generator<DirectoryEntry | undefined> {
  const waiting = [parent.child];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === noEntry) continue;
    const entry = seen.has(id) ? undefined : entries[id];
    if (entry) {
      seen.add(id);
      waiting.push(entry.left, entry.right);
    }
    yield entry;
  }
}

/** A stream or storage in the root. */
export interface RootStream {
  readonly name: string;
  /** Where its content begins, for a stream of 4096 bytes or more; shorter ones are elsewhere. */
  readonly offset: number;
}

/** The directory sectors that are read at most to list the root. */
const maxDirectorySectors = 256;

/**
 * The streams and storages in the root, as far as the directory can be read; undefined if none can.
 * Reads no more of the file than the directory needs.
 */
export async function readRootStreams(source: ByteSource): Promise<RootStream[] | undefined> {
  const header = readOleHeader(source.head);
  if (!header) return undefined;
  const directory = await readChain(source, header, header.directoryStart, maxDirectorySectors);
  const entries = readDirectory(directory, header);
  const [root] = entries;
  if (!root) return undefined;
  const streams: RootStream[] = [];
  for (const entry of walkStorage(entries, root, new Set())) {
    if (entry) streams.push({ name: entry.name, offset: sectorOffset(header, entry.start) });
  }
  return streams.length > 0 ? streams : undefined;
}

/** The names of the streams and storages in the root; undefined if its directory cannot be read. */
export async function readRootNames(source: ByteSource): Promise<string[] | undefined> {
  return (await readRootStreams(source))?.map(({ name }) => name);
}

/** Whether a compound file with these streams is an encrypted office file (MS-OFFCRYPTO). */
export function isEncryptedPackage(names: readonly string[]): boolean {
  return names.includes("EncryptedPackage");
}

/**
 * Whether the directory of a whole compound file is a tree. A reader that follows the links of another
 * one would not end.
 */
export async function hasValidDirectory(bytes: Buffer): Promise<boolean> {
  const header = readOleHeader(bytes);
  if (!header) return false;
  const source = { read: async (at: number, length: number) => bytes.subarray(at, at + length) };
  const sectors = Math.ceil(bytes.length / header.sectorBytes);
  const entries = readDirectory(
    await readChain(source, header, header.directoryStart, sectors),
    header,
  );
  const seen = new Set([0]);
  const waiting = entries.slice(0, 1);
  for (let parent = waiting.pop(); parent; parent = waiting.pop()) {
    for (const entry of walkStorage(entries, parent, seen)) {
      if (!entry) return false;
      if (entry.kind === entryKinds.storage) waiting.push(entry);
    }
  }
  return true;
}

/** The first `maxSectors` sectors of the chain that begins at `first`, as far as they can be read. */
async function readChain(
  source: ByteReader,
  header: OleHeader,
  first: number,
  maxSectors: number,
): Promise<Buffer> {
  const sectors: Buffer[] = [];
  let sector = first;
  while (sector < firstSpecialSector && sectors.length < maxSectors) {
    const content = await source.read(sectorOffset(header, sector), header.sectorBytes);
    sectors.push(content);
    if (content.length < header.sectorBytes) break;
    const next = await readNextSector(source, header, sector);
    if (next === undefined) break;
    sector = next;
  }
  return Buffer.concat(sectors);
}

/** The sector after `sector`; undefined where the table is out of reach or not listed in the header. */
async function readNextSector(source: ByteReader, header: OleHeader, sector: number) {
  const entriesPerTable = header.sectorBytes / 4;
  const table = header.tables[Math.floor(sector / entriesPerTable)];
  if (table === undefined) return undefined;
  const offset = sectorOffset(header, table) + 4 * (sector % entriesPerTable);
  const content = await source.read(offset, 4);
  return content.length === 4 ? content.readUInt32LE(0) : undefined;
}
