import { DamagedDataError } from "#lib/media/damaged-data.ts";
import {
  type DirectoryEntry,
  endOfChain,
  firstSpecialSector,
  freeSector,
  type OleHeader,
  sectorOffset,
} from "../../ole/ole.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { type Extent, FragmentedBytes } from "./fragmented-bytes.ts";

/** Allocation tables of compound files (MS-CFB, 2.3 to 2.5). */

const miniSectorBytes = 64;

/** Sectors of one size, and the allocation table, which has the next sector of each one. */
export class Sectors {
  readonly #file: PatchSource;
  readonly #bytes: number;
  readonly #table: Uint32Array;
  readonly #locate: (sector: number, length: number) => Extent[];
  /** Whether each sector is used: 1 if it is; none is used twice. */
  readonly #used: Uint8Array;
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
    this.#used = new Uint8Array(table.length);
  }

  /** The sectors of `file`. */
  static async open(file: PatchSource, header: OleHeader): Promise<Sectors> {
    const bytes = header.sectorBytes;
    // The header takes the space of one sector; the last one may be cut short.
    const count = Math.max(0, Math.ceil(file.size / bytes) - 1);
    const perTable = bytes / 4;
    const { tables, lists } = await listTables(file, header, count);
    const table = new Uint32Array(Math.min(count, tables.length * perTable)).fill(freeSector);
    for (const [index, sector] of tables.entries()) {
      const content = await file.read(sectorOffset(header, sector), bytes);
      for (let entry = 0; entry < perTable && index * perTable + entry < table.length; entry++) {
        table[index * perTable + entry] = content.readUInt32LE(4 * entry);
      }
    }
    const locate = (sector: number, length: number) => {
      const offset = sectorOffset(header, sector);
      return [{ offset, length: Math.max(0, Math.min(length, file.size - offset)) }];
    };
    const sectors = new Sectors(file, bytes, table, locate);
    // Some programs mark the table's own sectors as free.
    for (const sector of [...tables, ...lists]) sectors.#used[sector] = 1;
    const end = (table.length + 1) * bytes;
    if (end < file.size) sectors.#slack.push({ offset: end, zeros: file.size - end });
    return sectors;
  }

  /** The mini sectors, which are in the stream of the entry `root`. */
  async openMini(header: OleHeader, { start, size }: DirectoryEntry): Promise<Sectors> {
    const stream = start < firstSpecialSector ? this.stream(start, size) : this.stream(endOfChain);
    const first = header.miniTableStart;
    const content = this.stream(first < firstSpecialSector ? first : endOfChain);
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
   * The bytes of the chain that begins at `first`: the first `size` ones, or all. Throws
   * `RangeError` if it is shorter than `size`, has a cycle or shares a sector with another chain.
   */
  stream(first: number, size?: number): FragmentedBytes {
    const extents: Extent[] = [];
    let length = 0;
    const wanted = size ?? Number.POSITIVE_INFINITY;
    for (let sector = first; sector < firstSpecialSector && length < wanted; ) {
      const next = this.#table[sector];
      if (next === undefined || this.#used[sector] === 1)
        throw new DamagedDataError("broken chain");
      this.#used[sector] = 1;
      for (const { offset, length: available } of this.#locate(sector, this.#bytes)) {
        const kept = Math.max(0, Math.min(available, wanted - length));
        extents.push({ offset, length: kept });
        const zeros = available - kept;
        if (zeros > 0) this.#slack.push({ offset: offset + kept, zeros });
        length += kept;
      }
      sector = next;
    }
    if (size !== undefined && length < size)
      throw new DamagedDataError("stream shorter than its size");
    return new FragmentedBytes(this.#file, extents);
  }

  /** Clears free sectors, and the bytes of used ones after the end of their stream. */
  clearSlack(): Patch[] {
    const isFree = (sector: number) =>
      this.#table[sector] === freeSector && this.#used[sector] === 0;
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

/**
 * The sectors that hold the allocation table: the header has the first 109, a chain of `lists` the
 * others. `count`: the sectors of the file.
 */
async function listTables(
  file: PatchSource,
  header: OleHeader,
  count: number,
): Promise<{ tables: readonly number[]; lists: Iterable<number> }> {
  const tables: number[] = [];
  const add = (sector: number) => {
    if (sector < firstSpecialSector) tables.push(sector);
  };
  for (const sector of header.tables) add(sector);
  const bytes = header.sectorBytes;
  const lists = new Set<number>();
  for (let sector = header.tableListStart; sector < firstSpecialSector; ) {
    if (sector >= count || lists.has(sector)) throw new DamagedDataError("broken list of tables");
    lists.add(sector);
    const content = await file.read(sectorOffset(header, sector), bytes);
    for (let at = 0; at < bytes - 4; at += 4) add(content.readUInt32LE(at));
    sector = content.readUInt32LE(bytes - 4);
  }
  if (tables.length > count) throw new DamagedDataError("more tables than sectors");
  return { tables, lists };
}
