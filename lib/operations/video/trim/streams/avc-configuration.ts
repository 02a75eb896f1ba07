import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { findBox } from "#lib/formats/iso-boxes/track-boxes.ts";
import { readMovieIndex, replaceInIndex } from "./movie-index.ts";
import { mergeSets, readExpGolomb, readSets, writeSets } from "./parameter-sets.ts";

/**
 * The AVC decoder configuration in an MP4 file (`avcC`, ISO/IEC 14496-15): the parameter sets of its
 * H.264 video. An MP4 in which both encodings of a video are needs the parameter sets of both.
 */
interface AvcConfiguration {
  /** Version, profile, compatibility, level and size of lengths: the first five bytes. */
  readonly header: Buffer;
  readonly sequenceSets: readonly Buffer[];
  readonly pictureSets: readonly Buffer[];
  /** The bytes after the parameter sets, which high profiles have. */
  readonly extension: Buffer;
}

/**
 * Gives the first of `files`, each an MP4 of H.264 that ffmpeg wrote, the parameter sets of all. False
 * if two of them use the same id for different sets or if they differ in profile.
 */
export async function mergeAvcSets(files: readonly WorkFile[]): Promise<boolean> {
  const [first] = files;
  const all = await Promise.all(files.map(readConfiguration));
  const known = all.filter((one) => one !== undefined);
  const merged = known.length === files.length ? mergeConfigurations(known) : undefined;
  if (!first || !merged) return false;
  await replaceInIndex(first, { avcC: merged });
  return true;
}

async function readConfiguration(file: WorkFile): Promise<AvcConfiguration | undefined> {
  const index = await readMovieIndex(file);
  const content = index && findBox(index.moov, "avcC");
  return content && parseConfiguration(content);
}

/** Parses the content of an `avcC` box. Undefined if it is damaged. */
function parseConfiguration(bytes: Buffer): AvcConfiguration | undefined {
  try {
    const sequence = readSets(bytes, 6, bytes.readUInt8(5) & 31);
    const picture = readSets(bytes, sequence.end + 1, bytes.readUInt8(sequence.end));
    return {
      header: bytes.subarray(0, 5),
      sequenceSets: sequence.sets,
      pictureSets: picture.sets,
      extension: bytes.subarray(picture.end),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function mergeConfigurations(all: readonly AvcConfiguration[]): Buffer | undefined {
  const [first] = all;
  if (!first) return undefined;
  const sequenceSets = mergeSets(
    all.flatMap((one) => one.sequenceSets),
    (set) => readExpGolomb(set, 4),
  );
  const pictureSets = mergeSets(
    all.flatMap((one) => one.pictureSets),
    (set) => readExpGolomb(set, 1),
  );
  const isSame = all.every(
    ({ header }) => header[1] === first.header[1] && header[4] === first.header[4],
  );
  if (!isSame || !sequenceSets || !pictureSets || sequenceSets.length > 31) return undefined;
  const header = Buffer.from(first.header);
  header[3] = Math.max(...all.map((one) => one.header[3] ?? 0));
  return Buffer.concat([
    header,
    Buffer.from([0xe0 | sequenceSets.length]),
    ...writeSets(sequenceSets),
    Buffer.from([pictureSets.length]),
    ...writeSets(pictureSets),
    first.extension,
  ]);
}
