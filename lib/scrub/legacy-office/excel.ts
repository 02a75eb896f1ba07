import { fitName } from "../anonymous.ts";
import { LockedDocumentError } from "../document-errors.ts";
import type { Patch } from "../patch.ts";
import { blankBlips } from "./blips.ts";
import type { Storage } from "./compound.ts";
import { type Extent, ScatteredBytes } from "./fragmented-bytes.ts";

/** Excel workbooks (MS-XLS), and those of Excel 5 and 95, which have shorter strings. */

/** Records are two bytes of type, two of length, and content. */
interface Record {
  readonly type: number;
  readonly at: number;
  readonly length: number;
}

const type = {
  note: 0x1c,
  filePass: 0x2f,
  continued: 0x3c,
  printer: 0x4d,
  sharing: 0x5b,
  user: 0x5c,
  pivotCache: 0xc6,
  drawings: 0xeb,
  pivotDate: 0x122,
  revision: 0x138,
  sharedUser: 0x193,
  exclusiveUser: 0x194,
  start: 0x809,
} as const;

/** The version that a stream's first record names, from which on strings are Unicode. */
const excel97 = 0x600;

/** More than the sheets of the greatest size have. */
const maxRecords = 40_000_000;

/** Streams of records, by the name of their storage; the workbook's caches of pivot tables among them. */
const streamNames = /^(Workbook|Book|User Names|Revision Log)$/;
const cacheNames = /^_SX_DB(_CUR)?$/;

/**
 * What to change in the workbook in `storage`: its last user, authors of comments and revisions, and
 * the printer. Throws `LockedDocumentError`, and `RangeError` where a record goes past its stream.
 */
export async function planExcel({ name, streams }: Storage): Promise<Patch[]> {
  const plans: (readonly Patch[])[] = [];
  for (const [key, stream] of streams) {
    if (streamNames.test(key) || cacheNames.test(name)) plans.push(await planRecords(stream));
  }
  return plans.flat();
}

async function planRecords(stream: ScatteredBytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  const drawings: Extent[] = [];
  let isWide = true;
  let inDrawings = false;
  let count = 0;
  for (let at = 0; at + 4 <= stream.size; ) {
    const head = await stream.read(at, 4);
    const record = { type: head.readUInt16LE(0), at: at + 4, length: head.readUInt16LE(2) };
    at = record.at + record.length;
    if (at > stream.size) throw new RangeError("a record past its stream");
    if (++count > maxRecords) throw new RangeError("too many records");
    // Some programs fill the end with zeros.
    if (record.type === 0 && record.length === 0) break;
    if (record.type === type.start && record.length >= 2) {
      isWide = (await stream.read(record.at, 2)).readUInt16LE(0) >= excel97;
    }
    inDrawings = record.type === type.drawings || (inDrawings && record.type === type.continued);
    if (inDrawings) drawings.push(...stream.locate(record.at, record.length));
    else patches.push(...(await planRecord(stream, record, isWide)));
  }
  const pictures = new ScatteredBytes(stream.file, drawings);
  return [...patches, ...(await blankBlips(pictures))];
}

/** A date in the form that revisions have: year, month, day, three of time, day of the week. */
const noDate = Buffer.from("b207010100000004", "hex");

async function planRecord(
  stream: ScatteredBytes,
  record: Record,
  isWide: boolean,
): Promise<Patch[]> {
  const { at, length } = record;
  const name = (place: NamePlace) => planName(stream, record, isWide, place);
  const date = (offset: number) =>
    offset + noDate.length <= length ? stream.write(at + offset, noDate) : [];
  switch (record.type) {
    case type.filePass:
      throw new LockedDocumentError();
    case type.user:
      return stream.write(at, nobody(length, isWide));
    case type.sharing:
      return name({ offset: 4 });
    case type.note:
      return isWide ? name({ offset: 8 }) : [];
    case type.pivotCache:
      return name({ offset: 20, countAt: 18 });
    case type.pivotDate:
      return stream.erase(at, Math.min(8, length));
    case type.revision:
      return [...(await name({ offset: 34, countAt: 32, end: 148 })), ...date(148)];
    case type.sharedUser:
      return [...(await name({ offset: 28 })), ...date(20)];
    case type.exclusiveUser:
      return [...(await name({ offset: 14, countAt: 12, end: length })), ...date(4)];
    case type.printer:
      return planPrinter(stream, record);
    default:
      return [];
  }
}

/** Two spaces for a name say that there is none (2.4.349). */
function nobody(length: number, isWide: boolean): Buffer {
  const record = Buffer.alloc(length, " ");
  const head = isWide ? [2, 0, 0] : [2];
  record.set(head.slice(0, length));
  return record;
}

/** Where in a record a name stands, with its length in front of it or at `countAt`. */
interface NamePlace {
  readonly offset: number;
  readonly countAt?: number;
  /** Where the room for it ends, if that does not depend on its length. */
  readonly end?: number;
}

/**
 * Another name in the place of one, as long as that. Wide strings have a byte in front that says
 * whether their characters are of 16 bits.
 */
async function planName(
  stream: ScatteredBytes,
  { at, length }: Record,
  isWide: boolean,
  { offset, countAt, end }: NamePlace,
): Promise<Patch[]> {
  const content = await stream.read(at, length);
  const countBytes = isWide ? 2 : 1;
  const place = countAt ?? offset;
  if (place + countBytes > length) return [];
  const count = content.readUIntLE(place, countBytes);
  const start = offset + (countAt === undefined ? countBytes : 0) + (isWide ? 1 : 0);
  // The place says 65,535 where there is no name.
  if (count === 0 || count === 0xffff || start > length) return [];
  const is16Bit = isWide && ((content[start - 1] ?? 0) & 1) === 1;
  const text = Buffer.from(fitName(count), is16Bit ? "utf16le" : "latin1");
  const room = Math.min(end ?? start + text.length, length) - start;
  return stream.write(at + start, Buffer.concat([text, Buffer.alloc(room)]).subarray(0, room));
}

/** A printer's settings (DEVMODE): its name in 32 characters, and its driver's own part at the end. */
async function planPrinter(stream: ScatteredBytes, { at, length }: Record): Promise<Patch[]> {
  const [start, nameBytes, sizeAt] = [2, 64, 68];
  if (length < start + sizeAt + 2) return [];
  const own = start + (await stream.read(at + start + sizeAt, 2)).readUInt16LE(0);
  return [
    ...stream.erase(at + start, nameBytes),
    ...(own < length ? stream.erase(at + own, length - own) : []),
  ];
}
