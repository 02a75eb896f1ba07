import type { Patch } from "../patch.ts";
import type { ScatteredBytes } from "./fragmented-bytes.ts";
import { WordDates } from "./word-dates.ts";

/** Formatting of runs, paragraphs, tables and sections in Word documents: when it was changed, by whom is elsewhere. */

/** The streams of a document, and the places that its information block tells of. */
export interface WordStreams {
  readonly main: ScatteredBytes;
  readonly table: ScatteredBytes;
  readonly data: ScatteredBytes | undefined;
  readonly find: (
    index: number,
  ) => { readonly index: number; readonly offset: number; readonly length: number } | undefined;
}

const places = { sections: 6, runs: 12, paragraphs: 13, pieces: 33 } as const;

/**
 * Where in a property's operand the date of a change is, by the property's number (MS-DOC, 2.6):
 * of inserted and deleted text, and behind whether there is a change of formatting and whose it is.
 */
const datesAt: ReadonlyMap<number, number> = new Map([
  ...[0x6805, 0x6864].map((sprm) => [sprm, 0] as const),
  ...[0xca57, 0xca89, 0xc63f, 0xc66f, 0xd227, 0xd243, 0xd667].map((sprm) => [sprm, 3] as const),
  [0xca62, 3],
  [0xc645, 4],
]);

/** Marks of editing sessions. */
const sessions = new Set([0x6815, 0x6816, 0x6817, 0x6467, 0x703a, 0x7479]);

/** Properties whose operand names a place in the data stream that holds the paragraph's own. */
const elsewhere = new Set([0x6645, 0x6646]);

const pageBytes = 512;
/** A number of a page has 22 bits (2.9.206). */
const pageMask = 0x3f_ffff;
/** Stands for the place of a section that is formatted as by default. */
const noSection = 0xffff_ffff;

/** More than the formatting of any document; lists may name the same places over and over. */
const maxBytes = 256 * 2 ** 20;
/** What looking at another place costs at least. */
const placeBytes = 4096;

/** What takes dates and sessions from all formatting. Throws `RangeError` where its tables lead nowhere. */
export async function planWordRuns(words: WordStreams): Promise<Patch[]> {
  const { main, table, data } = words;
  const patches: Patch[] = [];
  const dates = new WordDates();
  const found: { stream: ScatteredBytes; at: number; value: number }[] = [];
  let examined = 0;

  async function undate(stream: ScatteredBytes, start: number, length: number, depth = 0) {
    examined += length;
    if (examined > maxBytes) throw new RangeError("more formatting than text");
    const properties = await stream.read(start, length);
    for (const { sprm, at, size } of readProperties(properties)) {
      if (sessions.has(sprm)) patches.push(...stream.erase(start + at, size));
      const date = datesAt.get(sprm);
      if (date !== undefined && date + 4 <= size) {
        const value = properties.readUInt32LE(at + date);
        dates.add(value);
        found.push({ stream, at: start + at + date, value });
      }
      if (!elsewhere.has(sprm) || !data || depth > 0 || size < 4) continue;
      examined += placeBytes;
      const place = properties.readUInt32LE(at);
      await undate(data, place + 2, (await data.read(place, 2)).readUInt16LE(0), 1);
    }
  }

  for (const [index, read] of [
    [places.runs, runsOfPage],
    [places.paragraphs, paragraphsOfPage],
  ] as const) {
    for (const number of await readPlex(words, index, 4, 0, pageMask)) {
      const start = number * pageBytes;
      const page = await main.read(start, pageBytes);
      for (const [at, length] of read(page)) await undate(main, start + at, length);
    }
  }
  for (const offset of await readPlex(words, places.sections, 12, 2, noSection)) {
    if (offset === noSection) continue;
    examined += placeBytes;
    const length = (await main.read(offset, 2)).readInt16LE(0);
    if (length > 0) await undate(main, offset + 2, length);
  }
  for (const [at, length] of await listPieceProperties(words)) await undate(table, at, length);
  const replace = dates.replace();
  for (const { stream, at, value } of found) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(replace(value));
    patches.push(...stream.write(at, bytes));
  }
  return patches;
}

/**
 * Numbers at `at` in the entries, of `entryBytes`, of a list with positions in front (2.2.2): what of
 * them `mask` lets through, in order, each once.
 */
async function readPlex(
  { table, find }: WordStreams,
  index: number,
  entryBytes: number,
  at: number,
  mask: number,
): Promise<number[]> {
  const place = find(index);
  if (!place) return [];
  const bytes = await table.read(place.offset, place.length);
  const count = Math.max(0, Math.floor((bytes.length - 4) / (4 + entryBytes)));
  const start = 4 * (count + 1) + at;
  const numbers = new Set<number>();
  for (let entry = 0; entry < count; entry++) {
    numbers.add((bytes.readUInt32LE(start + entryBytes * entry) & mask) >>> 0);
  }
  return [...numbers].sort((a, b) => a - b);
}

/** Where in a page of runs (2.9.33) their properties are, and how long. */
function runsOfPage(page: Buffer): [at: number, length: number][] {
  return placesOfPage(page, 1).flatMap((at) => {
    const length = page.readUInt8(at);
    return at + 1 + length <= pageBytes ? [[at + 1, length]] : [];
  });
}

/** Where in a page of paragraphs (2.9.176) their properties are, without the number of the style. */
function paragraphsOfPage(page: Buffer): [at: number, length: number][] {
  return placesOfPage(page, 13).flatMap((at) => {
    const half = page.readUInt8(at);
    const start = half === 0 ? at + 2 : at + 1;
    const length = half === 0 ? 2 * page.readUInt8(Math.min(at + 1, pageBytes - 1)) : 2 * half - 1;
    return length > 2 && start + length <= pageBytes ? [[start + 2, length - 2]] : [];
  });
}

/** A page ends with its number of runs; behind their positions stands where each is described. */
function placesOfPage(page: Buffer, entryBytes: number): number[] {
  const count = page.readUInt8(pageBytes - 1);
  const start = 4 * (count + 1);
  const found = new Set<number>();
  for (let index = 0; index < count; index++) {
    const entry = start + entryBytes * index;
    if (entry >= pageBytes - 1) break;
    const at = 2 * page.readUInt8(entry);
    if (at > 0) found.add(at); // runs that look alike share one
  }
  return [...found];
}

/** Properties that the list of pieces (2.9.38) has in front, each with its length. */
async function listPieceProperties({ table, find }: WordStreams): Promise<[number, number][]> {
  const place = find(places.pieces);
  const found: [number, number][] = [];
  const end = place ? place.offset + place.length : 0;
  for (let at = place?.offset ?? 0; at + 3 <= end; ) {
    const head = await table.read(at, 3);
    if (head.readUInt8(0) !== 1) break;
    const length = head.readInt16LE(1);
    if (length < 0 || at + 3 + length > end) throw new RangeError("properties past their list");
    found.push([at + 3, length]);
    at += 3 + length;
  }
  return found;
}

/** A definition of a table, and changes of tabs, tell their length in ways of their own (2.2.5.1). */
const tableDefinition = 0xd608;
const tabChanges = 0xc615;
/** Lengths of operands, by the upper three bits of the property's number. */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];

/** The properties in a list of them: number, where the operand begins, how long it is. */
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

/** Tabs that go, with how near they must be, and tabs that come, with their kinds (2.9.180). */
function sizeOfTabs(properties: Buffer, at: number): number {
  const gone = 1 + 4 * (properties[at] ?? 0);
  return gone + 1 + 3 * (properties[at + gone] ?? 0);
}
