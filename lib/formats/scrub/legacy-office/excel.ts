import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { fitName } from "../anonymous.ts";
import { EncryptedDocumentError } from "../document-errors.ts";
import type { Patch } from "../patch.ts";
import { clearBlips } from "./blips.ts";
import type { CompoundStorage } from "./compound-file.ts";
import { type Extent, FragmentedBytes } from "./fragmented-bytes.ts";

/** Excel workbooks (MS-XLS), and those of Excel 5 and 95, whose strings have one byte a character. */

/** A record has two bytes of type, two of length, and its content, which begins at `at`. */
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

/** The version, in a stream's first record, from which on strings are Unicode. */
const excel97 = 0x600;

/** A number of records that no sheets of the maximum size have. */
const maxRecords = 40_000_000;

/** Streams of records by name, and the storages whose streams are caches of pivot tables. */
const streamNames = /^(Workbook|Book|User Names|Revision Log)$/;
const cacheNames = /^_SX_DB(_CUR)?$/;

/**
 * The changes to the workbook in `storage`: its last user, the authors of comments and revisions, and
 * the printer. Throws `EncryptedDocumentError`, and `RangeError` where a record ends past its stream.
 */
export async function planExcel({ name, streams }: CompoundStorage): Promise<Patch[]> {
  const plans: (readonly Patch[])[] = [];
  for (const [key, stream] of streams) {
    if (streamNames.test(key) || cacheNames.test(name)) plans.push(await planRecords(stream));
  }
  return plans.flat();
}

async function planRecords(stream: FragmentedBytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  const drawings: Extent[] = [];
  let isWide = true;
  let inDrawings = false;
  let count = 0;
  for (let at = 0; at + 4 <= stream.size; ) {
    const head = await stream.read(at, 4);
    const record = { type: head.readUInt16LE(0), at: at + 4, length: head.readUInt16LE(2) };
    at = record.at + record.length;
    if (at > stream.size) throw new DamagedDataError("record past its stream");
    if (++count > maxRecords) throw new DamagedDataError("too many records");
    // Some programs pad the end with zeros.
    if (record.type === 0 && record.length === 0) break;
    if (record.type === type.start && record.length >= 2) {
      isWide = (await stream.read(record.at, 2)).readUInt16LE(0) >= excel97;
    }
    inDrawings = record.type === type.drawings || (inDrawings && record.type === type.continued);
    if (inDrawings) drawings.push(...stream.locate(record.at, record.length));
    else patches.push(...(await planRecord(stream, record, isWide)));
  }
  const images = new FragmentedBytes(stream.file, drawings);
  return [...patches, ...(await clearBlips(images))];
}

/** A date of a revision: year, month, day, three bytes of time, day of the week. */
const noDate = Buffer.from("b207010100000004", "hex");

async function planRecord(
  stream: FragmentedBytes,
  record: Record,
  isWide: boolean,
): Promise<Patch[]> {
  const { at, length } = record;
  const name = (position: NamePosition) => planName(stream, record, isWide, position);
  const date = (offset: number) =>
    offset + noDate.length <= length ? stream.write(at + offset, noDate) : [];
  switch (record.type) {
    case type.filePass:
      throw new EncryptedDocumentError();
    case type.user:
      return stream.write(at, emptyUserName(length, isWide));
    case type.sharing:
      return name({ offset: 4 });
    case type.note:
      return isWide ? name({ offset: 8 }) : [];
    case type.pivotCache:
      return name({ offset: 20, countAt: 18 });
    case type.pivotDate:
      return stream.clear(at, Math.min(8, length));
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

/** A name of two spaces means that there is no user (MS-XLS, 2.4.349). */
function emptyUserName(length: number, isWide: boolean): Buffer {
  const record = Buffer.alloc(length, " ");
  const head = isWide ? [2, 0, 0] : [2];
  record.set(head.slice(0, length));
  return record;
}

/** The position of a name in a record; its length is before it, or at `countAt`. */
interface NamePosition {
  readonly offset: number;
  readonly countAt?: number;
  /** Where its field ends, if the field has a fixed length. */
  readonly end?: number;
}

/**
 * Replaces a name with another one of the same length. A flag byte before a Unicode string defines
 * whether its characters have 8 or 16 bits.
 */
async function planName(
  stream: FragmentedBytes,
  { at, length }: Record,
  isWide: boolean,
  { offset, countAt, end }: NamePosition,
): Promise<Patch[]> {
  const content = await stream.read(at, length);
  const countBytes = isWide ? 2 : 1;
  const lengthAt = countAt ?? offset;
  if (lengthAt + countBytes > length) return [];
  const count = content.readUIntLE(lengthAt, countBytes);
  const start = offset + (countAt === undefined ? countBytes : 0) + (isWide ? 1 : 0);
  // 65,535 means that there is no name.
  if (count === 0 || count === 0xffff || start > length) return [];
  const is16Bit = isWide && ((content[start - 1] ?? 0) & 1) === 1;
  const text = Buffer.from(fitName(count), is16Bit ? "utf16le" : "latin1");
  const fieldBytes = Math.min(end ?? start + text.length, length) - start;
  const field = Buffer.concat([text, Buffer.alloc(fieldBytes)]).subarray(0, fieldBytes);
  return stream.write(at + start, field);
}

/** Printer settings (DEVMODE): the name in 32 characters, and the private data of the driver at the end. */
async function planPrinter(stream: FragmentedBytes, { at, length }: Record): Promise<Patch[]> {
  const start = 2;
  const nameBytes = 64;
  const sizeAt = 68;
  if (length < start + sizeAt + 2) return [];
  const driverData = start + (await stream.read(at + start + sizeAt, 2)).readUInt16LE(0);
  return [
    ...stream.clear(at + start, nameBytes),
    ...(driverData < length ? stream.clear(at + driverData, length - driverData) : []),
  ];
}
