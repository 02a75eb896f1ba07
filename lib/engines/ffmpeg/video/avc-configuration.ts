import { open } from "node:fs/promises";
import type { WorkFile } from "../../sandbox/work-folder.ts";

/**
 * The AVC decoder configuration in an MP4 file (`avcC`, ISO/IEC 14496-15): the parameter sets of its
 * H.264 video. An MP4 in which both encodings of a video are needs the parameter sets of both.
 */
export interface AvcConfiguration {
  /** Version, profile, compatibility, level and size of lengths: the first five bytes. */
  readonly header: Buffer;
  readonly sequenceSets: readonly Buffer[];
  readonly pictureSets: readonly Buffer[];
  /** The bytes after the parameter sets, which high profiles have. */
  readonly extension: Buffer;
}

/** Parses the content of an `avcC` box. Undefined if it is damaged. */
export function parseAvcConfiguration(bytes: Buffer): AvcConfiguration | undefined {
  try {
    let at = 6;
    const readSets = (count: number) =>
      Array.from({ length: count }, () => {
        const size = bytes.readUInt16BE(at);
        at += 2 + size;
        if (at > bytes.length) throw new RangeError("a parameter set is cut off");
        return bytes.subarray(at - size, at);
      });
    const sequenceSets = readSets(bytes.readUInt8(5) & 31);
    at++;
    const pictureSets = readSets(bytes.readUInt8(at - 1));
    return {
      header: bytes.subarray(0, 5),
      sequenceSets,
      pictureSets,
      extension: bytes.subarray(at),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * One configuration with the parameter sets of all. Undefined if two of them use the same id for
 * different sets or if they differ in profile or in the size of lengths.
 */
export function mergeAvcConfigurations(all: readonly AvcConfiguration[]): Buffer | undefined {
  const [first] = all;
  if (!first) return undefined;
  const sequenceSets = mergeSets(
    all.flatMap((one) => one.sequenceSets),
    4,
  );
  const pictureSets = mergeSets(
    all.flatMap((one) => one.pictureSets),
    1,
  );
  const isSame = all.every(
    ({ header }) => header[1] === first.header[1] && header[4] === first.header[4],
  );
  if (!isSame || !sequenceSets || !pictureSets || sequenceSets.length > 31) return undefined;
  const header = Buffer.from(first.header);
  header[3] = Math.max(...all.map((one) => one.header[3] ?? 0));
  const write = (sets: readonly Buffer[]) =>
    sets.flatMap((set) => [Buffer.from([set.length >> 8, set.length & 255]), set]);
  return Buffer.concat([
    ...[header, Buffer.from([0xe0 | sequenceSets.length]), ...write(sequenceSets)],
    ...[Buffer.from([pictureSets.length]), ...write(pictureSets), first.extension],
  ]);
}

/** The different sets; undefined if two have the same id, which starts at the byte `at`. */
function mergeSets(sets: readonly Buffer[], at: number): Buffer[] | undefined {
  const byId = new Map<number, Buffer>();
  for (const set of sets) {
    const id = readExpGolomb(set, at);
    if (byId.get(id)?.equals(set) === false) return undefined;
    byId.set(id, set);
  }
  return [...byId.values()];
}

/** An unsigned Exp-Golomb number of at most 17 bits at the start of the byte `at`. */
function readExpGolomb(bytes: Buffer, at: number): number {
  const bits = [0, 1, 2, 3].reduce((sum, offset) => sum * 256 + (bytes[at + offset] ?? 0), 0);
  const zeros = Math.min(8, Math.clz32(bits));
  return (bits >>> (31 - 2 * zeros)) - 1;
}

/** Boxes on the way to `avcC`, with the bytes before their first child. */
const path: Readonly<Record<string, number>> = {
  ...{ moov: 8, trak: 8, mdia: 8, minf: 8, stbl: 8 },
  ...{ stsd: 16, avc1: 86 },
};

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The first `avcC` box in `moov` and the boxes around it, outermost first. */
function findConfigurationBox(moov: Buffer): Box[] | undefined {
  const search = (start: number, end: number): Box[] | undefined => {
    for (let at = start; at + 8 <= end; ) {
      const size = moov.readUInt32BE(at);
      if (size < 8 || at + size > end) return undefined;
      const box = { type: moov.toString("latin1", at + 4, at + 8), start: at, end: at + size };
      if (box.type === "avcC") return [box];
      const skipped = path[box.type];
      const found = skipped === undefined ? undefined : search(at + skipped, box.end);
      if (found) return [box, ...found];
      at += size;
    }
    return undefined;
  };
  return search(0, moov.length);
}

/** The position of the last top-level box of an MP4 that ffmpeg wrote, if it is `moov`. */
async function readMovieBox(file: WorkFile): Promise<{ at: number; moov: Buffer } | undefined> {
  const handle = await open(file.path);
  try {
    const { size: total } = await handle.stat();
    const header = Buffer.alloc(16);
    for (let at = 0; at + 8 <= total; ) {
      await handle.read(header, 0, 16, at);
      const short = header.readUInt32BE(0);
      const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
      if (size < 8) return undefined;
      if (header.toString("latin1", 4, 8) === "moov" && at + size === total) {
        const moov = Buffer.alloc(size);
        await handle.read(moov, 0, size, at);
        return { at, moov };
      }
      at += size;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The AVC configuration of an MP4 or MOV that ffmpeg wrote with its index last. */
export async function readAvcConfiguration(file: WorkFile): Promise<AvcConfiguration | undefined> {
  const movie = await readMovieBox(file);
  const box = movie && findConfigurationBox(movie.moov)?.at(-1);
  return box && parseAvcConfiguration(movie.moov.subarray(box.start + 8, box.end));
}

/** Replaces the AVC configuration of an MP4 or MOV whose index is last, so that no offset changes. */
export async function replaceAvcConfiguration(file: WorkFile, content: Buffer): Promise<void> {
  const movie = await readMovieBox(file);
  const boxes = (movie && findConfigurationBox(movie.moov)) ?? [];
  const box = boxes.at(-1);
  if (!movie || !box) throw new Error("the file has no AVC configuration");
  const { at, moov } = movie;
  const growth = content.length - (box.end - box.start - 8);
  for (const outer of boxes) moov.writeUInt32BE(outer.end - outer.start + growth, outer.start);
  const handle = await open(file.path, "r+");
  try {
    await handle.truncate(at);
    const parts = [moov.subarray(0, box.start + 8), content, moov.subarray(box.end)];
    await handle.write(Buffer.concat(parts), 0, undefined, at);
  } finally {
    await handle.close();
  }
}
