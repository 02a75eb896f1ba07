import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { anonymousInitials, anonymousName, fitName } from "../anonymous.ts";
import { EncryptedDocumentError, UnsupportedVersionError } from "../document-errors.ts";
import type { Patch } from "../patch.ts";
import { clearBlips } from "./blips.ts";
import type { CompoundStorage } from "./compound-file.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";

/** PowerPoint 97 to 2003 presentations (MS-PPT). Records have a header of eight bytes. */

interface Record {
  readonly version: number;
  /** Distinguishes records of one type. */
  readonly instance: number;
  readonly type: number;
  readonly at: number;
  readonly end: number;
}

const type = {
  text: 0x0fba,
  user: 0x0ff6,
  tagData: 0x138b,
  comment: 0x2ee0,
  commentAtom: 0x2ee1,
  commentAuthor: 0x2ee4,
} as const;

/** The version of records that contain other records. */
const container = 0xf;

/** A number of records that no presentations of the maximum size have: these are mostly images. */
const maxRecords = 20_000_000;
const maxDepth = 1000;

const encryptedToken = 0xf3d1c4df;

/**
 * The changes to the presentation in `storage`: its last user, the authors and dates of comments, the
 * copyright and the keywords. Throws `EncryptedDocumentError`, and `UnsupportedVersionError` before
 * PowerPoint 97.
 */
export async function planPowerPoint({ streams }: CompoundStorage): Promise<Patch[]> {
  const slides = streams.get("PowerPoint Document");
  const user = streams.get("Current User");
  const images = streams.get("Pictures");
  if (slides && streams.has("PersistentStorage Directory")) {
    throw new UnsupportedVersionError("PowerPoint 97");
  }
  return [
    ...(user ? await planUser(user) : []),
    ...(slides ? await planRecords(slides) : []),
    ...(images ? await clearBlips(images) : []),
  ];
}

/** The name of the user is there twice: in the encoding of the system, and in UTF-16 after the release. */
async function planUser(stream: FragmentedBytes): Promise<Patch[]> {
  if (stream.size < 28) return [];
  const record = await readRecord(stream, 0);
  if (record.type !== type.user) return [];
  const content = await stream.read(record.at, stream.size - record.at);
  if (content.readUInt32LE(4) === encryptedToken) throw new EncryptedDocumentError();
  const length = content.readUInt16LE(12);
  const narrow = 20;
  const wide = 20 + length + 4;
  const name = fitName(length);
  const clip = (bytes: Buffer, at: number) => bytes.subarray(0, Math.max(0, content.length - at));
  return [
    ...stream.write(record.at + narrow, clip(Buffer.from(name, "latin1"), narrow)),
    ...stream.write(record.at + wide, clip(Buffer.from(name, "utf16le"), wide)),
  ];
}

async function planRecords(stream: FragmentedBytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  // The ends of all containers around the record, and of those whose texts are replaced.
  const parents: number[] = [];
  const ends = { author: 0, tags: 0, others: 0 };
  let count = 0;
  for (let at = 0; at + 8 <= stream.size; ) {
    while (at >= (parents.at(-1) ?? Number.POSITIVE_INFINITY)) parents.pop();
    const parentEnd = parents.at(-1) ?? stream.size;
    const record = await readRecord(stream, at);
    if (++count > maxRecords) throw new DamagedDataError("too many records");
    if (record.end > parentEnd) {
      // Containers of later versions may hold other data, also after their last record.
      at = parentEnd;
      continue;
    }
    const hasChildren = record.version === container || record.type === type.tagData;
    if (hasChildren && parents.length < maxDepth) parents.push(record.end);
    at = hasChildren && parents.length < maxDepth ? record.at : record.end;
    if (record.type === type.comment || record.type === type.commentAuthor)
      ends.author = record.end;
    else if (record.type === type.tagData) ends.tags = record.end;
    else if (hasChildren && record.at < ends.tags) ends.others = Math.max(ends.others, record.end);
    const texts =
      record.at < ends.author
        ? authorTexts
        : record.at < ends.tags && record.at >= ends.others
          ? tagTexts
          : undefined;
    const text = record.type === type.text ? texts?.get(record.instance) : undefined;
    if (text !== undefined) patches.push(...replaceText(stream, record, text));
    if (record.type === type.commentAtom && record.end - record.at >= 20) {
      patches.push(...stream.write(record.at + 4, noDate));
    }
  }
  return patches;
}

/** The date of 1 January 1970 as year, month, day of the week, day, and four fields of time. */
const noDate = Buffer.from("b2070100040001000000000000000000", "hex");

/** The texts that name an author, by instance: the name and initials of a comment; the name in a list of authors. */
const authorTexts: ReadonlyMap<number, string> = new Map([
  [0, anonymousName],
  [2, anonymousInitials],
]);

/** The texts that describe the presentation, by instance: its copyright and keywords. */
const tagTexts: ReadonlyMap<number, string> = new Map([
  [1, ""],
  [2, ""],
]);

function replaceText(stream: FragmentedBytes, { at, end }: Record, text: string): Patch[] {
  return stream.write(at, Buffer.from(fitName((end - at) >> 1, text), "utf16le"));
}

async function readRecord(stream: FragmentedBytes, at: number): Promise<Record> {
  const head = await stream.read(at, 8);
  const tag = head.readUInt16LE(0);
  return {
    version: tag & 0xf,
    instance: tag >> 4,
    type: head.readUInt16LE(2),
    at: at + 8,
    end: at + 8 + head.readUInt32LE(4),
  };
}
