import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { anonymousInitials, anonymousName, numberAuthor } from "../anonymous.ts";
import { EncryptedDocumentError, UnsupportedVersionError } from "../document-errors.ts";
import type { Patch } from "../patch.ts";
import { clearBlips } from "./blips.ts";
import type { CompoundStorage } from "./compound-file.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";
import { planWordRuns, type WordStreams } from "./word-runs.ts";
import { rewriteStringTable, rewriteXsts } from "./word-strings.ts";

/** The personal metadata in the tables of Word 97 to 2003 documents (MS-DOC). */

/** Where the file information block (2.5.1) lists ranges of the table stream. */
const countAt = 152;
const listAt = 154;

/** Ranges by their number in that list (2.5.6 to 2.5.8). */
const ranges = {
  comments: 4,
  properties: 31,
  associated: 32,
  commentAuthors: 36,
  changeAuthors: 51,
  savedAt: 87,
  commentDates: 112,
} as const;

/**
 * Ranges that are removed: the printer and its ports, the path of the recovery copy, the routing
 * slip, who saved the document where, emails that contained it, editing sessions.
 */
const removedRanges = [27, 28, 29, 35, 70, 71, 94, 97, 113];

/** The first version with this format. */
const word97 = 0xc1;

const flag = { encrypted: 0x100, secondTable: 0x200 };

/** A range of the table stream, and its number in the list. */
interface TableRange {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * The changes to the Word document in `storage`: comments and changes get "Author" as their author and
 * lose their dates. Throws `EncryptedDocumentError`, `UnsupportedVersionError` before Word 97, and
 * `RangeError` where its tables are damaged.
 */
export async function planWord({ streams }: CompoundStorage): Promise<Patch[]> {
  const main = streams.get("WordDocument");
  if (!main) return [];
  const start = await main.read(0, listAt);
  const flags = start.readUInt16LE(10);
  if (start.readUInt16LE(2) < word97) throw new UnsupportedVersionError("Word 97");
  if ((flags & flag.encrypted) !== 0) throw new EncryptedDocumentError();
  const table = streams.get((flags & flag.secondTable) !== 0 ? "1Table" : "0Table");
  if (!table) throw new DamagedDataError("no table stream");
  const count = start.readUInt16LE(countAt);
  const list = await main.read(listAt, 8 * count);
  const find = (index: number): TableRange | undefined => {
    if (index >= count) return undefined;
    const length = list.readUInt32LE(8 * index + 4);
    return length > 0 ? { index, offset: list.readUInt32LE(8 * index), length } : undefined;
  };
  const words: WordStreams = { main, table, data: streams.get("Data"), find };
  return [
    ...removedRanges.flatMap((index) => removeRange(words, find(index))),
    ...(await rewriteRange(words, ranges.associated, (bytes) =>
      rewriteStringTable(bytes, keepPassword),
    )),
    ...(await rewriteRange(words, ranges.changeAuthors, (bytes) =>
      rewriteStringTable(bytes, nameAuthors),
    )),
    ...(await rewriteRange(words, ranges.commentAuthors, (bytes) =>
      rewriteXsts(bytes, anonymousName),
    )),
    ...(await planComments(words)),
    ...planDates(words),
    ...(count > ranges.savedAt ? main.clear(listAt + 8 * ranges.savedAt, 8) : []),
    ...(await planWordRuns(words)),
    ...(await planImages([main, streams.get("Data")])),
  ];
}

function removeRange({ main, table }: WordStreams, range: TableRange | undefined): Patch[] {
  if (!range) return [];
  return [
    ...table.clear(range.offset, range.length),
    ...main.clear(listAt + 8 * range.index + 4, 4),
  ];
}

/** Rewrites the structure in a range; it must not grow. */
async function rewriteRange(
  { main, table, find }: WordStreams,
  index: number,
  change: (bytes: Buffer) => Buffer,
): Promise<Patch[]> {
  const range = find(index);
  if (!range) return [];
  const changed = change(await table.read(range.offset, range.length));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(changed.length);
  return [
    ...table.write(range.offset, changed),
    ...table.clear(range.offset + changed.length, range.length - changed.length),
    ...main.write(listAt + 8 * index + 4, length),
  ];
}

/** The only string of the document (2.9.276) that stays: the password that protects it from changes. */
const passwordIndex = 0x11;
const keepPassword = (text: string, index: number) => (index === passwordIndex ? text : "");

/** The first author is always "Unknown" (2.9.290). */
const nameAuthors = (text: string, index: number) =>
  index === 0 && text === "Unknown" ? text : numberAuthor(index, text.length);

/** The descriptor of a comment (2.9.6). The first two bytes of the initials are their length. */
const commentBytes = 30;
const initialsBytes = 20;
/** The additional descriptor of later versions (2.9.7); it begins with the date. */
const datedCommentBytes = 18;

async function planComments({ table, find }: WordStreams): Promise<Patch[]> {
  const patches: Patch[] = [];
  const comments = find(ranges.comments);
  const initials = Buffer.alloc(initialsBytes);
  initials.writeUInt16LE(anonymousInitials.length);
  initials.write(anonymousInitials, 2, "utf16le");
  // Positions of four bytes, one more than there are descriptors, come first.
  const count = Math.floor(((comments?.length ?? 4) - 4) / (4 + commentBytes));
  for (let index = 0; comments && index < count; index++) {
    const at = comments.offset + 4 * (count + 1) + commentBytes * index;
    patches.push(...table.write(at, initials));
  }
  const dates = find(ranges.commentDates);
  for (let at = 0; dates && at + datedCommentBytes <= dates.length; at += datedCommentBytes) {
    patches.push(...table.clear(dates.offset + at, 4));
  }
  return patches;
}

/** Dates of creation, change and printing, the revision number and the editing time (2.7.2). */
const datesAt = 0x14;
const datesBytes = 18;

function planDates({ table, find }: WordStreams): Patch[] {
  const properties = find(ranges.properties);
  if (!properties || properties.length < datesAt + datesBytes) return [];
  return table.clear(properties.offset + datesAt, datesBytes);
}

async function planImages(streams: readonly (FragmentedBytes | undefined)[]): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const stream of streams) if (stream) patches.push(...(await clearBlips(stream)));
  return patches;
}
