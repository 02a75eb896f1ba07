import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch, PatchSource } from "./patch.ts";

/**
 * Removes personal metadata from Matroska and WebM files (RFC 9559), in place: a removed element
 * becomes a Void element of the same length, so that clusters and cues do not move.
 */

const ids = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  cluster: 0x1f43b675,
  chapters: 0x1043a770,
  editionEntry: 0x45b9,
  chapterAtom: 0xb6,
  chapterDisplay: 0x80,
  tags: 0x1254c367,
  attachments: 0x1941a469,
  attachedFile: 0x61a7,
  fileMediaType: 0x4660,
  void: 0xec,
  crc32: 0xbf,
} as const;

/** Elements whose children are visited. */
const masters = new Set<number>([
  ids.segment,
  ids.seekHead,
  ids.info,
  ids.tracks,
  ids.trackEntry,
  ids.chapters,
  ids.editionEntry,
  ids.chapterAtom,
  ids.chapterDisplay,
  ids.attachments,
  ids.attachedFile,
]);

/** Elements that are removed: optional ones, and checksums, which would no longer match. */
const voided = new Set<number>([
  ids.tags,
  ids.crc32,
  // Title, DateUTC, SegmentFilename, PrevFilename, NextFilename.
  0x7ba9,
  0x4461,
  0x7384,
  0x3c83ab,
  0x3e83bb,
  // Name, CodecName, CodecSettings, CodecInfoURL, CodecDownloadURL.
  0x536e,
  0x258688,
  0x3a9697,
  0x3b4040,
  0x26b240,
  // ChapterStringUID, FileDescription.
  0x5654,
  0x467e,
]);

/** Required elements that are cleared (MuxingApp, WritingApp, ChapString), and Void itself. */
const cleared = new Set<number>([0x4d80, 0x5741, 0x85, ids.void]);

/** Level 1 elements: any of them ends a cluster of unknown size. */
const topLevel = new Set<number>([
  ids.seekHead,
  ids.info,
  ids.tracks,
  ids.cluster,
  ids.chapters,
  ids.tags,
  ids.attachments,
  0x1c53bb6b,
]);

/** Attached fonts stay, because subtitles refer to them; images and documents are removed. */
const fontType = /^(font\/|application\/(x-)?(truetype|font|opentype|vnd\.ms-opentype|sfnt))/i;

interface Element {
  readonly id: number;
  /** Where its header begins, its content begins, and it ends. */
  readonly offset: number;
  readonly content: number;
  readonly end: number;
  readonly sizeKnown: boolean;
}

/** Real files have tens of thousands of clusters; more elements are an attack on CPU time. */
const maxElements = 2_000_000;

/** The changes to a Matroska or WebM file. Throws `RangeError` where its structure is broken. */
export async function planMatroska(source: PatchSource): Promise<Patch[]> {
  const patches: Patch[] = [];
  let seen = 0;
  await walk(0, source.size, 0);
  return patches;

  async function walk(start: number, end: number, depth: number): Promise<void> {
    if (depth > 16) throw new DamagedDataError("elements nested too deeply");
    let position = start;
    while (position < end) {
      if (++seen > maxElements) throw new DamagedDataError("too many elements");
      const element = await readElement(source, position, end);
      position = await visit(element, end, depth);
    }
  }

  /** Returns where the next element begins. */
  async function visit(element: Element, parentEnd: number, depth: number): Promise<number> {
    const { id, content, end } = element;
    if (voided.has(id) || (await isRemoved(source, element)))
      patches.push(replaceWithVoid(element));
    else if (cleared.has(id)) patches.push({ offset: content, zeros: end - content });
    else if (masters.has(id)) await walk(content, end, depth + 1);
    else if (id === ids.cluster && !element.sizeKnown) return findClusterEnd(content, parentEnd);
    return end;
  }

  async function findClusterEnd(start: number, end: number): Promise<number> {
    let position = start;
    while (position < end) {
      if (++seen > maxElements) throw new DamagedDataError("too many elements");
      const element = await readElement(source, position, end);
      if (topLevel.has(element.id)) break;
      position = element.end;
    }
    return position;
  }
}

/** Whether `element` is an attachment that is no font, or a seek entry for the tags. */
async function isRemoved(source: PatchSource, element: Element): Promise<boolean> {
  if (element.id === ids.seek) {
    const target = await readChild(source, element, ids.seekId);
    return target?.readUIntBE(0, Math.min(target.length, 4)) === ids.tags;
  }
  if (element.id !== ids.attachedFile) return false;
  const type = await readChild(source, element, ids.fileMediaType);
  return !fontType.test(type?.toString("latin1") ?? "");
}

/** The first bytes of the content of a child of `element`. */
async function readChild(source: PatchSource, element: Element, id: number) {
  for (let position = element.content; position < element.end; ) {
    const child = await readElement(source, position, element.end);
    const length = Math.min(child.end - child.content, 100);
    if (child.id === id && length > 0) return source.read(child.content, length);
    position = child.end;
  }
  return undefined;
}

async function readElement(source: PatchSource, offset: number, limit: number): Promise<Element> {
  const header = await source.read(offset, Math.min(12, source.size - offset));
  const idLength = Math.clz32(header[0] ?? 0) - 23;
  const first = header[idLength] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (idLength > 4 || sizeLength > 8 || header.length < idLength + sizeLength) {
    throw new DamagedDataError("not an element");
  }
  const id = header.readUIntBE(0, idLength);
  let size = first & (0xff >> sizeLength);
  let sizeKnown = size !== 0xff >> sizeLength;
  for (const byte of header.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    sizeKnown ||= byte !== 0xff;
  }
  const content = offset + idLength + sizeLength;
  // In a recording that was cut off, the last elements extend past the end of the file.
  const end = sizeKnown ? Math.min(content + size, limit) : limit;
  return { id, offset, content, end, sizeKnown };
}

/** Replaces `element` with a Void element of the same length, filled with zeros. */
function replaceWithVoid({ offset, end }: Element): Patch {
  const bytes = Buffer.alloc(end - offset);
  bytes[0] = ids.void;
  if (bytes.length <= 128) {
    bytes[1] = 0x80 | (bytes.length - 2);
  } else {
    bytes[1] = 0x01;
    bytes.writeUIntBE(bytes.length - 9, 3, 6);
  }
  return { offset, bytes };
}
