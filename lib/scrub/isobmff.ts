import { type Box, findBox, readBoxes, readChunks } from "./boxes.ts";
import type { Patch, PatchSource } from "./patch.ts";

/**
 * MP4, M4A, 3GP and QuickTime films without what tells of people, places and programs, in place: a
 * box that goes becomes a `free` box of the same length, so that no sample moves. Tracks of picture,
 * sound and subtitles stay whole; tracks of data (places, camera, time of day) go with their samples;
 * chapters stay without their titles.
 */

/** Boxes that stay, by the box they are in; all others go. */
const kept: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(["ftyp", "styp", "moof", "mdat", "imda", "sidx", "ssix", "mfra", "pdin", "wide"]),
  moov: new Set(["mvex", "iods", "pssh", "clip", "ctab"]),
  trak: new Set(["edts", "load", "matt", "clip", "tapt", "trgr"]),
  tref: new Set(["chap", "subt", "sync", "auxl", "vdep", "font", "hint", "forc", "fall", "folw"]),
  mdia: new Set(["elng"]),
  minf: new Set(["vmhd", "smhd", "hmhd", "sthd", "nmhd", "gmhd"]),
};

/** Handlers of tracks that are seen, heard or read. */
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

/** Boxes of the sample table that hold metadata wherever they stand. */
const metadataBoxes = new Set(["udta", "meta", "uuid"]);

/** A form of the file in which tracks of data cannot be taken out in place. */
export class UnsupportedFilmError extends Error {
  override readonly name = "UnsupportedFilmError";
}

interface Track {
  readonly box: Box;
  readonly children: readonly Box[];
  readonly id: number;
  readonly handler: string;
  readonly chapters: readonly number[];
}

/**
 * What to change in an MP4 or QuickTime file. Throws `RangeError` where its structure is broken, and
 * `UnsupportedFilmError` for a compressed header, or data tracks in a fragmented file.
 */
export async function planFilm(source: PatchSource): Promise<Patch[]> {
  const patches: Patch[] = [];
  const top = await readBoxes(source, 0, source.size);
  const movie = top.filter(({ type }) => type === "moov");
  if (movie.length === 0) throw new RangeError("no moov");
  for (const box of top) {
    if (box.type === "moov") await planMovie(box);
    else if (!kept.file?.has(box.type)) patches.push(...free(box));
  }
  return patches;

  async function planMovie(moov: Box): Promise<void> {
    const children = await readBoxes(source, moov.content, moov.end);
    if (children.some(({ type }) => type === "cmov")) throw new UnsupportedFilmError();
    const tracks: Track[] = [];
    for (const box of children) {
      if (box.type === "trak") tracks.push(await readTrack(box));
      else if (box.type === "mvhd") await undate(box);
      else if (box.type === "udta") patches.push(...(await planUserData(source, box)));
      else if (!kept.moov?.has(box.type)) patches.push(...free(box));
    }
    const chapters = new Set(tracks.flatMap((track) => track.chapters));
    const isFragmented = children.some(({ type }) => type === "mvex");
    for (const track of tracks) {
      const goes = !keptHandlers.has(track.handler);
      const isChapters = chapters.has(track.id) && ["text", "sbtl"].includes(track.handler);
      if ((goes || isChapters) && isFragmented) throw new UnsupportedFilmError();
      // A text sample begins with its length, so zeros are an empty title.
      if (goes || isChapters) await eraseSamples(track);
      if (goes) patches.push(...free(track.box));
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

  async function eraseSamples({ children }: Track): Promise<void> {
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
      if (box.type === "tkhd") await undate(box);
      else if (box.type === "tref" || box.type === "mdia") await planContainer(box, handler);
      else if (!kept.trak?.has(box.type)) patches.push(...free(box));
    }
  }

  async function planContainer(parent: Box, handler: string): Promise<void> {
    for (const box of await readBoxes(source, parent.content, parent.end)) {
      if (box.type === "mdhd") await undate(box);
      else if (box.type === "hdlr") eraseRest(box, 12);
      else if (box.type === "minf" || box.type === "dinf") await planContainer(box, handler);
      else if (box.type === "stbl") await planSampleTable(box, handler);
      else if (box.type === "dref") await planReferences(box);
      else if (!kept[parent.type]?.has(box.type)) patches.push(...free(box));
    }
  }

  async function planSampleTable(table: Box, handler: string): Promise<void> {
    for (const box of await readBoxes(source, table.content, table.end)) {
      if (metadataBoxes.has(box.type)) patches.push(...free(box));
      if (box.type !== "stsd" || !["vide", "soun"].includes(handler)) continue;
      for (const entry of await readBoxes(source, box.content + 8, box.end)) {
        // The vendor of the encoder, and for pictures its name in 32 bytes.
        if (entry.content + 16 <= entry.end) patches.push({ offset: entry.content + 12, zeros: 4 });
        if (handler === "vide" && entry.content + 74 <= entry.end) {
          patches.push({ offset: entry.content + 42, zeros: 32 });
        }
      }
    }
  }

  /** A reference to the media's own file may hold the path at which that once was. */
  async function planReferences(box: Box): Promise<void> {
    for (const entry of await readBoxes(source, box.content + 8, box.end)) eraseRest(entry, 4);
  }

  async function undate(box: Box): Promise<void> {
    const version = (await source.read(box.content, 1))[0];
    patches.push({ offset: box.content + 4, zeros: version === 1 ? 16 : 8 });
  }

  function eraseRest(box: Box, after: number): void {
    const zeros = box.end - box.content - after;
    if (zeros > 0) patches.push({ offset: box.content + after, zeros });
  }
}

/** Makes a `free` box of `box`, of the size that it has, and zeros of its content. */
function free(box: Box): Patch[] {
  return [
    { offset: box.offset + 4, bytes: Buffer.from("free") },
    { offset: box.content, zeros: box.end - box.content },
  ];
}

/** iTunes's tag for the encoder's delay: without it, players would play some silence more. */
const gaplessTag = "iTunSMPB";

/** All of a film's user data goes but that one tag. */
async function planUserData(source: PatchSource, box: Box): Promise<Patch[]> {
  const children = await readBoxes(source, box.content, box.end).catch(() => []);
  const meta = children.find(({ type }) => type === "meta");
  const inMeta = meta ? await readBoxes(source, meta.content + 4, meta.end).catch(() => []) : [];
  const list = inMeta.find(({ type }) => type === "ilst");
  for (const item of list ? await readBoxes(source, list.content, list.end) : []) {
    if (item.type !== "----" || item.end - item.offset > 1000) continue;
    const tag = await source.read(item.offset, item.end - item.offset);
    if (tag.includes(gaplessTag)) return [...free(box), ...userDataOf(tag, box)];
  }
  return free(box);
}

/** User data with nothing but `tag`, written where `room` is, and a `free` box for what is left. */
function userDataOf(tag: Buffer, room: Box): Patch[] {
  const length = room.end - room.offset;
  const wrap = (type: string, content: Buffer) => {
    const header = Buffer.from(`\0\0\0\0${type}`, "latin1");
    header.writeUInt32BE(content.length + 8);
    return Buffer.concat([header, content]);
  };
  const build = (padding: number) => {
    const handler = Buffer.alloc(25 + padding);
    handler.write("mdirappl", 8, "latin1");
    const meta = Buffer.concat([Buffer.alloc(4), wrap("hdlr", handler), wrap("ilst", tag)]);
    return wrap("udta", wrap("meta", meta));
  };
  const left = length - build(0).length;
  if (left < 0) return [];
  // What is left may be too little for a box of its own.
  if (left < 8) return [{ offset: room.offset, bytes: build(left) }];
  const rest = wrap("free", Buffer.alloc(left - 8));
  return [{ offset: room.offset, bytes: Buffer.concat([build(0), rest]) }];
}
