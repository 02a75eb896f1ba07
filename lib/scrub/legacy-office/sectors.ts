import type { Patch, PatchSource } from "../patch.ts";
import { type Extent, ScatteredBytes } from "./fragmented-bytes.ts";

/** Allocation tables of compound files (MS-CFB, 2.3 to 2.5). */

const freeSector = 0xffffffff;
const endOfChain = 0xfffffffe;
/** Numbers from here on name no sector. */
const maxSector = 0xfffffffa;

const miniSectorBytes = 64;
const headerTables = 109;

/** Sectors of one size, and the table that says which one follows which. */
export class Sectors {
  readonly #file: PatchSource;
  readonly #bytes: number;
  readonly #table: Uint32Array;
  readonly #locate: (sector: number, length: number) => Extent[];
  /** Sectors that are part of something; no two things share one. */
  readonly #taken: Uint8Array;
  readonly #slack: Patch[] = [];

  private constructor(
    file: PatchSource,
    bytes: number,
    table: Uint32Array,
    locate: (sector: number, length: number) => Extent[],
  ) {
    this.#file = file;
    this.#bytes = bytes;
    this.#table = table;
    this.#locate = locate;
    this.#taken = new Uint8Array(table.length);
  }

  /** The sectors of `file`, whose first 512 bytes are `header`. */
  static async open(file: PatchSource, header: Buffer, bytes: number): Promise<Sectors> {
    // The header takes the place of one sector; the last one may be cut short.
    const count = Math.max(0, Math.ceil(file.size / bytes) - 1);
    const perTable = bytes / 4;
    const { tables, others } = await listTables(file, header, bytes, count);
    const table = new Uint32Array(Math.min(count, tables.length * perTable)).fill(freeSector);
    for (const [index, sector] of tables.entries()) {
      const content = await file.read((sector + 1) * bytes, bytes);
      for (let entry = 0; entry < perTable && index * perTable + entry < table.length; entry++) {
        table[index * perTable + entry] = content.readUInt32LE(4 * entry);
      }
    }
    const locate = (sector: number, length: number) => {
      const offset = (sector + 1) * bytes;
      return [{ offset, length: Math.max(0, Math.min(length, file.size - offset)) }];
    };
    const sectors = new Sectors(file, bytes, table, locate);
    // Marked as free by some programs.
    for (const sector of [...tables, ...others]) sectors.#taken[sector] = 1;
    const end = (table.length + 1) * bytes;
    if (end < file.size) sectors.#slack.push({ offset: end, zeros: file.size - end });
    return sectors;
  }

  /** The small sectors, kept in the stream that `start` and `size` of the root entry tell of. */
  async openMini(header: Buffer, start: number, size: number): Promise<Sectors> {
    const stream = start < maxSector ? this.stream(start, size) : this.stream(endOfChain);
    const first = header.readUInt32LE(0x3c);
    const content = first < maxSector ? this.stream(first) : this.stream(endOfChain);
    const bytes = await content.read(0, content.size);
    const count = Math.min(bytes.length / 4, Math.ceil(stream.size / miniSectorBytes));
    const table = Uint32Array.from({ length: count }, (_, index) => bytes.readUInt32LE(4 * index));
    const locate = (sector: number, length: number) => {
      const at = sector * miniSectorBytes;
      return stream.locate(at, Math.min(length, stream.size - at));
    };
    return new Sectors(this.#file, miniSectorBytes, table, locate);
  }

  /**
   * The chain that begins at `first`, as far as `size` bytes or else whole. Throws `RangeError` where
   * it is too short, runs in a circle or into another one.
   */
  stream(first: number, size?: number): ScatteredBytes {
    const extents: Extent[] = [];
    let length = 0;
    const wanted = size ?? Number.POSITIVE_INFINITY;
    for (let sector = first; sector < maxSector && length < wanted; ) {
      const next = this.#table[sector];
      if (next === undefined || this.#taken[sector] === 1) throw new RangeError("a broken chain");
      this.#taken[sector] = 1;
      for (const { offset, length: room } of this.#locate(sector, this.#bytes)) {
        const kept = Math.max(0, Math.min(room, wanted - length));
        extents.push({ offset, length: kept });
        if (room > kept) this.#slack.push({ offset: offset + kept, zeros: room - kept });
        length += kept;
      }
      sector = next;
    }
    if (size !== undefined && length < size) throw new RangeError("a stream without its end");
    return new ScatteredBytes(this.#file, extents);
  }

  /** What empties free sectors, and the ends of chains that their streams do not reach. */
  leftovers(): Patch[] {
    const isFree = (sector: number) =>
      this.#table[sector] === freeSector && this.#taken[sector] === 0;
    const extents: Extent[] = [];
    for (let first = 0; first < this.#table.length; first++) {
      let end = first;
      while (end < this.#table.length && isFree(end)) end++;
      if (end > first) {
        for (const extent of this.#locate(first, (end - first) * this.#bytes)) extents.push(extent);
      }
      first = end;
    }
    const free = extents.map(({ offset, length }) => ({ offset, zeros: length }));
    return [...this.#slack, ...free];
  }
}

/** The sectors that hold the table: the first 109 are named in the header, others in a chain. */
async function listTables(
  file: PatchSource,
  header: Buffer,
  bytes: number,
  count: number,
): Promise<{ tables: readonly number[]; others: Iterable<number> }> {
  const tables: number[] = [];
  const add = (sector: number) => {
    if (sector < maxSector) tables.push(sector);
  };
  for (let index = 0; index < headerTables; index++) add(header.readUInt32LE(0x4c + 4 * index));
  const seen = new Set<number>();
  for (let sector = header.readUInt32LE(0x44); sector < maxSector; ) {
    if (sector >= count || seen.has(sector)) throw new RangeError("a broken chain of tables");
    seen.add(sector);
    const content = await file.read((sector + 1) * bytes, bytes);
    for (let at = 0; at < bytes - 4; at += 4) add(content.readUInt32LE(at));
    sector = content.readUInt32LE(bytes - 4);
  }
  if (tables.length > count) throw new RangeError("more tables than sectors");
  return { tables, others: seen };
}
