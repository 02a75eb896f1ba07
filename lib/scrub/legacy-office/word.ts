import { anonymousInitials, anonymousName, numberAuthor } from "../anonymous.ts";
import { LockedDocumentError, OldDocumentError } from "../document-errors.ts";
import type { Patch } from "../patch.ts";
import { blankBlips } from "./blips.ts";
import type { Storage } from "./compound.ts";
import type { ScatteredBytes } from "./fragmented-bytes.ts";
import { planWordRuns, type WordStreams } from "./word-runs.ts";
import { shortenTable, shortenXsts } from "./word-strings.ts";

/** Word 97 to 2003 documents (MS-DOC): what of their own tables tells of people. */

/** Where the file information block (2.5.1) has its list of places in the table stream. */
const countAt = 152;
const listAt = 154;

/** Places in that list, by their number (2.5.6 to 2.5.8). */
const places = {
  comments: 4,
  properties: 31,
  associated: 32,
  commentAuthors: 36,
  changeAuthors: 51,
  savedAt: 87,
  commentDates: 112,
} as const;

/**
 * What goes whole: the printer and its ports, where it was kept as a copy, to whom it was passed on,
 * who saved it where, the mails it was in, the marks of its editing sessions.
 */
const dropped = [27, 28, 29, 35, 70, 71, 94, 97, 113];

/** The version from which on documents have this form. */
const word97 = 0xc1;

const flag = { encrypted: 0x100, secondTable: 0x200 };

/** A place in the table stream, and the number of its entry in the list. */
interface Place {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * What to change in the Word document in `storage`: authors of comments and changes are called
 * "Author", and nothing is dated. Throws `LockedDocumentError`, `OldDocumentError` before Word 97, and
 * `RangeError` where its tables lead nowhere.
 */
export async function planWord({ streams }: Storage): Promise<Patch[]> {
  const main = streams.get("WordDocument");
  if (!main) return [];
  const start = await main.read(0, listAt);
  const flags = start.readUInt16LE(10);
  if (start.readUInt16LE(2) < word97) throw new OldDocumentError("Word 97");
  if ((flags & flag.encrypted) !== 0) throw new LockedDocumentError();
  const table = streams.get((flags & flag.secondTable) !== 0 ? "1Table" : "0Table");
  if (!table) throw new RangeError("no table stream");
  const count = start.readUInt16LE(countAt);
  const list = await main.read(listAt, 8 * count);
  const find = (index: number): Place | undefined => {
    if (index >= count) return undefined;
    const length = list.readUInt32LE(8 * index + 4);
    return length > 0 ? { index, offset: list.readUInt32LE(8 * index), length } : undefined;
  };
  const words: WordStreams = { main, table, data: streams.get("Data"), find };
  return [
    ...dropped.flatMap((index) => drop(words, find(index))),
    ...(await shorten(words, places.associated, (bytes) => shortenTable(bytes, keepPassword))),
    ...(await shorten(words, places.changeAuthors, (bytes) => shortenTable(bytes, nameAuthors))),
    ...(await shorten(words, places.commentAuthors, (bytes) => shortenXsts(bytes, anonymousName))),
    ...(await planComments(words)),
    ...planDates(words),
    ...(count > places.savedAt ? main.erase(listAt + 8 * places.savedAt, 8) : []),
    ...(await planWordRuns(words)),
    ...(await planPictures([main, streams.get("Data")])),
  ];
}

function drop({ main, table }: WordStreams, place: Place | undefined): Patch[] {
  if (!place) return [];
  return [
    ...table.erase(place.offset, place.length),
    ...main.erase(listAt + 8 * place.index + 4, 4),
  ];
}

/** Writes the structure at a place anew, in no more room than it had. */
async function shorten(
  { main, table, find }: WordStreams,
  index: number,
  change: (bytes: Buffer) => Buffer,
): Promise<Patch[]> {
  const place = find(index);
  if (!place) return [];
  const changed = change(await table.read(place.offset, place.length));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(changed.length);
  return [
    ...table.write(place.offset, changed),
    ...table.erase(place.offset + changed.length, place.length - changed.length),
    ...main.write(listAt + 8 * index + 4, length),
  ];
}

/** Strings of the document (2.9.276): all but the last, without which it could be changed by anyone. */
const passwordIndex = 0x11;
const keepPassword = (text: string, index: number) => (index === passwordIndex ? text : "");

/** The first author is always "Unknown" (2.9.290). */
const nameAuthors = (text: string, index: number) =>
  index === 0 && text === "Unknown" ? text : numberAuthor(index, text.length);

/** A descriptor of a comment (2.9.6): initials in 20 bytes, of which the first two are their number. */
const commentBytes = 30;
const initialsBytes = 20;
/** What later versions note beside it (2.9.7), with the date in front. */
const datedCommentBytes = 18;

async function planComments({ table, find }: WordStreams): Promise<Patch[]> {
  const patches: Patch[] = [];
  const comments = find(places.comments);
  const initials = Buffer.alloc(initialsBytes);
  initials.writeUInt16LE(anonymousInitials.length);
  initials.write(anonymousInitials, 2, "utf16le");
  // One position more than descriptors, of four bytes each, stands in front of them.
  const count = Math.floor(((comments?.length ?? 4) - 4) / (4 + commentBytes));
  for (let index = 0; comments && index < count; index++) {
    const at = comments.offset + 4 * (count + 1) + commentBytes * index;
    patches.push(...table.write(at, initials));
  }
  const dates = find(places.commentDates);
  for (let at = 0; dates && at + datedCommentBytes <= dates.length; at += datedCommentBytes) {
    patches.push(...table.erase(dates.offset + at, 4));
  }
  return patches;
}

/** When it was made, changed and printed, how often and how long it was worked on (2.7.2). */
const datesAt = 0x14;
const datesBytes = 18;

function planDates({ table, find }: WordStreams): Patch[] {
  const properties = find(places.properties);
  if (!properties || properties.length < datesAt + datesBytes) return [];
  return table.erase(properties.offset + datesAt, datesBytes);
}

async function planPictures(streams: readonly (ScatteredBytes | undefined)[]): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const stream of streams) if (stream) patches.push(...(await blankBlips(stream)));
  return patches;
}
