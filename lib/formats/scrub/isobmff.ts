import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { type Box, findBox, readBoxes } from "../iso-boxes/iso-boxes.ts";
import { box as writeBox } from "../iso-boxes/write-boxes.ts";
import type { Patch, PatchSource } from "./patch.ts";
import { readChunks } from "./sample-table.ts";

/**
 * Removes personal metadata from MP4, M4A, 3GP and QuickTime files, in place: a removed box becomes
 * a `free` box of the same length, so that no sample moves. Video, audio and subtitle tracks stay
 * whole. Data tracks (location, camera, time of day) are removed with their samples. Chapters stay
 * without their titles.
 */

/** Boxes that stay, by their parent; all others are removed. */
const kept: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(["ftyp", "styp", "moof", "mdat", "imda", "sidx", "ssix", "mfra", "pdin", "wide"]),
  moov: new Set(["mvex", "iods", "pssh", "clip", "ctab"]),
  trak: new Set(["edts", "load", "matt", "clip", "tapt", "trgr"]),
  tref: new Set(["chap", "subt", "sync", "auxl", "vdep", "font", "hint", "forc", "fall", "folw"]),
  mdia: new Set(["elng"]),
  minf: new Set(["vmhd", "smhd", "hmhd", "sthd", "nmhd", "gmhd"]),
};

/** Handlers of video, audio and subtitle tracks. */
const keptHandlers = new Set([
  "vide",
  "soun",
  "subt",
  "text",
  "sbtl",
  "clcp",
  "subp",
  "auxv",
  "pict",
]);

/** Boxes of the sample table that hold metadata. */
const metadataBoxes = new Set(["udta", "meta", "uuid"]);

/** A file from which data tracks cannot be removed in place. */
export class UnsupportedIsobmffError extends Error {
  override readonly name = "UnsupportedIsobmffError";
}

interface Track {
  readonly box: Box;
  readonly children: readonly Box[];
  readonly id: number;
  readonly handler: string;
  readonly chapters: readonly number[];
}

/**
 * The changes to an MP4 or QuickTime file. Throws `RangeError` where its structure is broken, and
 * `UnsupportedIsobmffError` for a compressed header, or data tracks in a fragmented file.
 */
export async function planIsobmff(source: PatchSource): Promise<Patch[]> {
  const patches: Patch[] = [];
  const top = await readBoxes(source, 0, source.size);
  const movies = top.filter(({ type }) => type === "moov");
  if (movies.length === 0) throw new DamagedDataError("no moov");
  for (const box of top) {
    if (box.type === "moov") await planMovie(box);
    else if (!kept.file?.has(box.type)) patches.push(...replaceWithFree(box));
  }
  return patches;

  async function planMovie(moov: Box): Promise<void> {
    const children = await readBoxes(source, moov.content, moov.end);
    if (children.some(({ type }) => type === "cmov")) throw new UnsupportedIsobmffError();
    const tracks: Track[] = [];
    for (const box of children) {
      if (box.type === "trak") tracks.push(await readTrack(box));
      else if (box.type === "mvhd") await clearDates(box);
      else if (box.type === "udta") patches.push(...(await planUserData(source, box)));
      else if (!kept.moov?.has(box.type)) patches.push(...replaceWithFree(box));
    }
    const chapters = new Set(tracks.flatMap((track) => track.chapters));
    const isFragmented = children.some(({ type }) => type === "mvex");
    for (const track of tracks) {
      const isData = !keptHandlers.has(track.handler);
      const isChapters = chapters.has(track.id) && ["text", "sbtl"].includes(track.handler);
      if ((isData || isChapters) && isFragmented) throw new UnsupportedIsobmffError();
      // A text sample begins with its length, so zeros are an empty title.
      if (isData || isChapters) await clearSamples(track);
      if (isData) patches.push(...replaceWithFree(track.box));
      else await planTrack(track);
    }
  }

  async function readTrack(box: Box): Promise<Track> {
    const children = await readBoxes(source, box.content, box.end);
    const header = await findBox(source, children, ["tkhd"]);
    const handler = await findBox(source, children, ["mdia", "hdlr"]);
    const chapters = await findBox(source, children, ["tref", "chap"]);
    const version = header ? (await source.read(header.content, 1))[0] : 0;
    const idAt = (header?.content ?? 0) + (version === 1 ? 20 : 12);
    const ids = chapters && (await source.read(chapters.content, chapters.end - chapters.content));
    return {
      box,
      children,
      id: header ? (await source.read(idAt, 4)).readUInt32BE(0) : 0,
      handler: handler ? (await source.read(handler.content + 8, 4)).toString("latin1") : "",
      chapters: ids
        ? Array.from({ length: ids.length >> 2 }, (_, n) => ids.readUInt32BE(4 * n))
        : [],
    };
  }

  async function clearSamples({ children }: Track): Promise<void> {
    const table = await findBox(source, children, ["mdia", "minf", "stbl"]);
    if (!table) return;
    const chunks = await readChunks(source, await readBoxes(source, table.content, table.end));
    const media = top.filter(({ type }) => type === "mdat");
    for (const { offset, length } of chunks) {
      const isMedia = media.some((box) => offset >= box.content && offset + length <= box.end);
      if (isMedia) patches.push({ offset, zeros: length });
    }
  }

  async function planTrack({ children, handler }: Track): Promise<void> {
    for (const box of children) {
      if (box.type === "tkhd") await clearDates(box);
      else if (box.type === "tref" || box.type === "mdia") await planContainer(box, handler);
      else if (!kept.trak?.has(box.type)) patches.push(...replaceWithFree(box));
    }
  }

  async function planContainer(parent: Box, handler: string): Promise<void> {
    for (const box of await readBoxes(source, parent.content, parent.end)) {
      if (box.type === "mdhd") await clearDates(box);
      else if (box.type === "hdlr") clearTail(box, 12);
      else if (box.type === "minf" || box.type === "dinf") await planContainer(box, handler);
      else if (box.type === "stbl") await planSampleTable(box, handler);
      else if (box.type === "dref") await planDataReferences(box);
      else if (!kept[parent.type]?.has(box.type)) patches.push(...replaceWithFree(box));
    }
  }

  async function planSampleTable(table: Box, handler: string): Promise<void> {
    for (const box of await readBoxes(source, table.content, table.end)) {
      if (metadataBoxes.has(box.type)) patches.push(...replaceWithFree(box));
      if (box.type !== "stsd" || !["vide", "soun"].includes(handler)) continue;
      for (const entry of await readBoxes(source, box.content + 8, box.end)) {
        // The vendor of the encoder and, in video, its name in 32 bytes.
        if (entry.content + 16 <= entry.end) patches.push({ offset: entry.content + 12, zeros: 4 });
        if (handler === "vide" && entry.content + 74 <= entry.end) {
          patches.push({ offset: entry.content + 42, zeros: 32 });
        }
      }
    }
  }

  /** A reference to the file itself may contain a path on its author's disk. */
  async function planDataReferences(box: Box): Promise<void> {
    for (const entry of await readBoxes(source, box.content + 8, box.end)) clearTail(entry, 4);
  }

  /** Clears the two dates of a header, which have 64 bits in version 1. */
  async function clearDates(box: Box): Promise<void> {
    const version = (await source.read(box.content, 1))[0];
    patches.push({ offset: box.content + 4, zeros: version === 1 ? 16 : 8 });
  }

  /** Clears the content of `box` from byte `after` on. */
  function clearTail(box: Box, after: number): void {
    const zeros = box.end - box.content - after;
    if (zeros > 0) patches.push({ offset: box.content + after, zeros });
  }
}

/** Turns `box` into a `free` box of the same size whose content is zeros. */
export function replaceWithFree(box: Box): Patch[] {
  return [
    { offset: box.offset + 4, bytes: Buffer.from("free") },
    { offset: box.content, zeros: box.end - box.content },
  ];
}

/** iTunes's tag for the encoder delay: without it, players add silence. */
const gaplessTag = "iTunSMPB";

/** Removes all user data except `gaplessTag`. */
async function planUserData(source: PatchSource, box: Box): Promise<Patch[]> {
  const children = await readBoxes(source, box.content, box.end).catch(() => []);
  const meta = children.find(({ type }) => type === "meta");
  const inMeta = meta ? await readBoxes(source, meta.content + 4, meta.end).catch(() => []) : [];
  const list = inMeta.find(({ type }) => type === "ilst");
  for (const item of list ? await readBoxes(source, list.content, list.end) : []) {
    if (item.type !== "----" || item.end - item.offset > 1000) continue;
    const tag = await source.read(item.offset, item.end - item.offset);
    if (tag.includes(gaplessTag)) return [...replaceWithFree(box), ...buildUserData(tag, box)];
  }
  return replaceWithFree(box);
}

/** Replaces `box` with user data that contains only `tag`, and a `free` box for the remaining bytes. */
function buildUserData(tag: Buffer, box: Box): Patch[] {
  const length = box.end - box.offset;
  const build = (padding: number) => {
    const handler = Buffer.alloc(25 + padding);
    handler.write("mdirappl", 8, "latin1");
    const meta = Buffer.concat([Buffer.alloc(4), writeBox("hdlr", handler), writeBox("ilst", tag)]);
    return writeBox("udta", writeBox("meta", meta));
  };
  const left = length - build(0).length;
  if (left < 0) return [];
  // Too few bytes remain for another box.
  if (left < 8) return [{ offset: box.offset, bytes: build(left) }];
  const rest = writeBox("free");
  rest.writeUInt32BE(left);
  const bytes = Buffer.concat([build(0), rest]);
  return [
    { offset: box.offset, bytes },
    { offset: box.offset + bytes.length, zeros: length - bytes.length },
  ];
}
