import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch } from "../patch.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";
import { WordDates } from "./word-dates.ts";

/** The dates of changes in the formatting of runs, paragraphs, tables and sections of Word documents. */

/** The streams of a document, and the ranges that its file information block lists. */
export interface WordStreams {
  readonly main: FragmentedBytes;
  readonly table: FragmentedBytes;
  readonly data: FragmentedBytes | undefined;
  readonly find: (
    index: number,
  ) => { readonly index: number; readonly offset: number; readonly length: number } | undefined;
}

const ranges = { sections: 6, runs: 12, paragraphs: 13, pieces: 33 } as const;

/**
 * The offset of the date of a change in the operand of a property, by the property's number (MS-DOC,
 * 2.6): of inserted and deleted text, and of changes of formatting, where flag and author come first.
 */
const datesAt: ReadonlyMap<number, number> = new Map([
  [0x6805, 0],
  [0x6864, 0],
  [0xca57, 3],
  [0xca89, 3],
  [0xc63f, 3],
  [0xc66f, 3],
  [0xd227, 3],
  [0xd243, 3],
  [0xd667, 3],
  [0xca62, 3],
  [0xc645, 4],
]);

/** Properties that identify editing sessions. */
const sessions = new Set([0x6815, 0x6816, 0x6817, 0x6467, 0x703a, 0x7479]);

/** Properties whose operand is an offset in the data stream, where the paragraph's properties are. */
const indirectProperties = new Set([0x6645, 0x6646]);

const pageBytes = 512;
/** A page number has 22 bits (2.9.206). */
const pageMask = 0x3f_ffff;
/** The offset of a section with default formatting. */
const noSection = 0xffff_ffff;

/**
 * A number of bytes that the formatting of no document reaches: hostile lists may refer to the same
 * bytes many times.
 */
const maxBytes = 256 * 2 ** 20;
/** The least that one indirect read counts. */
const indirectReadBytes = 4096;

/** Clears dates and sessions in all formatting. Throws `RangeError` where its tables are damaged. */
export async function planWordRuns(words: WordStreams): Promise<Patch[]> {
  const { main, table, data } = words;
  const patches: Patch[] = [];
  const dates = new WordDates();
  const found: { stream: FragmentedBytes; at: number; value: number }[] = [];
  let examined = 0;

  async function clearDates(stream: FragmentedBytes, start: number, length: number, depth = 0) {
    examined += length;
    if (examined > maxBytes) throw new DamagedDataError("too much formatting");
    const properties = await stream.read(start, length);
    for (const { sprm, at, size } of readProperties(properties)) {
      if (sessions.has(sprm)) patches.push(...stream.clear(start + at, size));
      const date = datesAt.get(sprm);
      if (date !== undefined && date + 4 <= size) {
        const value = properties.readUInt32LE(at + date);
        dates.add(value);
        found.push({ stream, at: start + at + date, value });
      }
      if (!indirectProperties.has(sprm) || !data || depth > 0 || size < 4) continue;
      examined += indirectReadBytes;
      const offset = properties.readUInt32LE(at);
      await clearDates(data, offset + 2, (await data.read(offset, 2)).readUInt16LE(0), 1);
    }
  }

  for (const [index, read] of [
    [ranges.runs, readRunProperties],
    [ranges.paragraphs, readParagraphProperties],
  ] as const) {
    for (const number of await readPlex(words, index, 4, 0, pageMask)) {
      const start = number * pageBytes;
      const page = await main.read(start, pageBytes);
      for (const [at, length] of read(page)) await clearDates(main, start + at, length);
    }
  }
  for (const offset of await readPlex(words, ranges.sections, 12, 2, noSection)) {
    if (offset === noSection) continue;
    examined += indirectReadBytes;
    const length = (await main.read(offset, 2)).readInt16LE(0);
    if (length > 0) await clearDates(main, offset + 2, length);
  }
  for (const [at, length] of await listPieceProperties(words)) await clearDates(table, at, length);
  const replace = dates.replace();
  for (const { stream, at, value } of found) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(replace(value));
    patches.push(...stream.write(at, bytes));
  }
  return patches;
}

/**
 * The distinct numbers of a PLC, in ascending order: a list of text positions, then of data entries of
 * `entryBytes` (2.2.2). Each number is at `at` in its entry, and is reduced to the bits of `mask`.
 */
async function readPlex(
  { table, find }: WordStreams,
  index: number,
  entryBytes: number,
  at: number,
  mask: number,
): Promise<number[]> {
  const range = find(index);
  if (!range) return [];
  const bytes = await table.read(range.offset, range.length);
  const count = Math.max(0, Math.floor((bytes.length - 4) / (4 + entryBytes)));
  const start = 4 * (count + 1) + at;
  const numbers = new Set<number>();
  for (let entry = 0; entry < count; entry++) {
    numbers.add((bytes.readUInt32LE(start + entryBytes * entry) & mask) >>> 0);
  }
  return [...numbers].sort((a, b) => a - b);
}

/** Offsets and lengths of the properties in a page of runs (2.9.33). */
function readRunProperties(page: Buffer): [at: number, length: number][] {
  return readPageOffsets(page, 1).flatMap((at) => {
    const length = page.readUInt8(at);
    return at + 1 + length <= pageBytes ? [[at + 1, length]] : [];
  });
}

/** Offsets and lengths of the properties in a page of paragraphs (2.9.176), without the style number. */
function readParagraphProperties(page: Buffer): [at: number, length: number][] {
  return readPageOffsets(page, 13).flatMap((at) => {
    const half = page.readUInt8(at);
    const start = half === 0 ? at + 2 : at + 1;
    const length = half === 0 ? 2 * page.readUInt8(Math.min(at + 1, pageBytes - 1)) : 2 * half - 1;
    return length > 2 && start + length <= pageBytes ? [[start + 2, length - 2]] : [];
  });
}

/**
 * The offsets of the descriptions in a page, each once. The last byte is the number of runs; the
 * offsets follow the positions of the runs, in units of two bytes.
 */
function readPageOffsets(page: Buffer, entryBytes: number): number[] {
  const count = page.readUInt8(pageBytes - 1);
  const start = 4 * (count + 1);
  const found = new Set<number>();
  for (let index = 0; index < count; index++) {
    const entry = start + entryBytes * index;
    if (entry >= pageBytes - 1) break;
    const at = 2 * page.readUInt8(entry);
    if (at > 0) found.add(at); // runs with the same formatting share one
  }
  return [...found];
}

/** Offsets and lengths of the properties before the piece table (2.9.38). */
async function listPieceProperties({ table, find }: WordStreams): Promise<[number, number][]> {
  const range = find(ranges.pieces);
  const found: [number, number][] = [];
  const end = range ? range.offset + range.length : 0;
  for (let at = range?.offset ?? 0; at + 3 <= end; ) {
    const head = await table.read(at, 3);
    if (head.readUInt8(0) !== 1) break;
    const length = head.readInt16LE(1);
    if (length < 0 || at + 3 + length > end)
      throw new DamagedDataError("properties past their list");
    found.push([at + 3, length]);
    at += 3 + length;
  }
  return found;
}

/** The two properties that store their length in a different form (2.2.5.1). */
const tableDefinition = 0xd608;
const tabChanges = 0xc615;
/** Length of the operand by the upper three bits of the property's number; 0: before the operand. */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];

/** The properties of a list: number, offset of the operand, length of the operand. */
function* readProperties(
  properties: Buffer,
): Generator<{ sprm: number; at: number; size: number }> {
  for (let at = 0; at + 3 <= properties.length; ) {
    const sprm = properties.readUInt16LE(at);
    at += 2;
    let size = operandBytes[sprm >> 13] ?? 0;
    if (size === 0) {
      if (sprm === tableDefinition) {
        if (at + 2 > properties.length) return;
        size = properties.readUInt16LE(at) - 1;
        at += 2;
      } else {
        size = properties.readUInt8(at);
        at += 1;
        if (sprm === tabChanges && size === 255) size = sizeOfTabs(properties, at);
      }
    }
    if (at + size > properties.length || size < 0) return;
    yield { sprm, at, size };
    at += size;
  }
}

/** The size of removed tabs with their tolerance, then added tabs with their kind (2.9.180). */
function sizeOfTabs(properties: Buffer, at: number): number {
  const removed = 1 + 4 * (properties[at] ?? 0);
  return removed + 1 + 3 * (properties[at + removed] ?? 0);
}
