import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { findBox } from "#lib/formats/iso-boxes/track-boxes.ts";
import { readMovieIndex, replaceInIndex } from "./movie-index.ts";
import {
  escapeUnit,
  mergeSets,
  readExpGolomb,
  readSets,
  unescapeUnit,
  writeSets,
} from "./parameter-sets.ts";

/**
 * The HEVC decoder configuration in an MP4 file (`hvcC`, ISO/IEC 14496-15, 8.3.3): the parameter sets
 * of its video. Nearly all encoders number their sets from 0, so the sets of two encodings can only
 * be in one file if those of one get other numbers.
 */
interface HevcConfiguration {
  /** Profile, level, pixel format, size of lengths: the first 22 bytes. */
  readonly header: Buffer;
  /** NAL units by type. */
  readonly units: ReadonlyMap<number, readonly Buffer[]>;
}

/** Types of NAL units (ITU-T H.265, table 7-1). */
const setTypes = { video: 32, sequence: 33, picture: 34 } as const;

/**
 * The ids of renumbered sets. In a slice, the id 0 takes one bit and 16 to 30 take nine, so that all
 * that follows moves by exactly one byte and keeps its alignment. The same is true of 15 in sets.
 */
const renumbered = { video: 15, sequence: 15, picture: 30 } as const;

/** The content of `hvcC` with other numbers of its sets. Undefined if their numbers are not 0. */
export function renumberConfiguration(content: Buffer): Buffer | undefined {
  const configuration = parseConfiguration(content);
  if (!configuration) return undefined;
  const units = new Map<number, Buffer[]>();
  for (const type of Object.values(setTypes)) {
    const sets = (configuration.units.get(type) ?? []).map((set) => renumberSet(type, set));
    const known = sets.filter((set) => set !== undefined);
    if (known.length !== 1 || sets.length !== 1) return undefined;
    units.set(type, known);
  }
  return writeConfiguration({ header: configuration.header, units });
}

function renumberSet(type: number, unit: Buffer): Buffer | undefined {
  const set = unescapeUnit(unit);
  if (type === setTypes.video) {
    set[2] = (renumbered.video << 4) | ((set[2] ?? 0) & 15);
    return escapeUnit(set);
  }
  const at = type === setTypes.sequence ? sequenceIdAt(set) : 2;
  const byte = set[at] ?? 0;
  const before = set.subarray(0, at);
  const after = set.subarray(at + 1);
  if (type === setTypes.sequence) {
    if (byte < 0x80) return undefined;
    before[2] = (renumbered.video << 4) | ((before[2] ?? 0) & 15);
    // The code of 15, 000010000, and the seven bits after the id.
    return escapeUnit(Buffer.concat([before, Buffer.from([0x08, byte & 0x7f]), after]));
  }
  if (byte < 0xc0) return undefined;
  // The codes of 30, 000011111, and of the sequence's 15, and the six bits after both.
  const ids = Buffer.from([0x0f, 0x84, byte & 0x3f]);
  return escapeUnit(Buffer.concat([before, ids, after]));
}

/** Where the id of a sequence parameter set starts: after the profiles of its layers (7.3.3). */
function sequenceIdAt(set: Buffer): number {
  const layers = ((set[2] ?? 0) >> 1) & 7;
  let at = 15;
  if (layers === 0) return at;
  const flags = ((set[at] ?? 0) << 8) | (set[at + 1] ?? 0);
  at += 2;
  for (let layer = 0; layer < layers; layer++) {
    if (flags & (0x8000 >> (2 * layer))) at += 11;
    if (flags & (0x4000 >> (2 * layer))) at += 1;
  }
  return at;
}

/**
 * A slice, whose set had the number 0, of the renumbered set. Undefined if it has another number. No
 * byte that this adds is 0, so the content stays free of start codes.
 */
export function renumberSlice(unit: Buffer): Buffer | undefined {
  const type = unitType(unit);
  const first = unit[2] ?? 0;
  // Before the number: whether the slice is the first, and a flag of random access pictures.
  const bits = type >= 16 && type <= 23 ? 2 : 1;
  if ((first & (0x80 >> bits)) === 0) return undefined;
  const kept = first & (0xff00 >> bits) & 0xff;
  const rest = first & (0x7f >> bits);
  // The code of 30 after `bits` bits, and the bits after it.
  const code = (0x1f << (7 - bits)) | rest;
  const ids = Buffer.from([kept | (code >> 8), code & 0xff]);
  return Buffer.concat([unit.subarray(0, 2), ids, unit.subarray(3)]);
}

export function unitType(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 63;
}

/**
 * Gives the first of `files`, each an MP4 of HEVC that ffmpeg wrote, the parameter sets of all. `main`
 * is the one that is copied from the source. False if two of them use the same id for different sets
 * or if they differ in profile or pixel format.
 */
export async function mergeHevcSets(files: readonly WorkFile[], main: WorkFile): Promise<boolean> {
  const [first] = files;
  const order = [main, ...files.filter((file) => file !== main)];
  const all = await Promise.all(order.map(readConfiguration));
  const known = all.filter((one) => one !== undefined);
  const merged = known.length === files.length ? mergeConfigurations(known) : undefined;
  if (!first || !merged) return false;
  await replaceInIndex(first, { hvcC: writeConfiguration(merged) });
  return true;
}

async function readConfiguration(file: WorkFile): Promise<HevcConfiguration | undefined> {
  const index = await readMovieIndex(file);
  const content = index && findBox(index.moov, "hvcC");
  return content && parseConfiguration(content);
}

function parseConfiguration(bytes: Buffer): HevcConfiguration | undefined {
  try {
    const units = new Map<number, Buffer[]>();
    let at = 23;
    for (let array = 0; array < bytes.readUInt8(22); array++) {
      const type = bytes.readUInt8(at) & 63;
      const { sets, end } = readSets(bytes, at + 3, bytes.readUInt16BE(at + 1));
      units.set(type, [...(units.get(type) ?? []), ...sets]);
      at = end;
    }
    return { header: bytes.subarray(0, 22), units };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function writeConfiguration({ header, units }: HevcConfiguration): Buffer {
  const arrays = [...units].flatMap(([type, sets]) => {
    // Parameter sets are complete: none is among the pictures.
    const isComplete = type >= setTypes.video && type <= setTypes.picture;
    const head = Buffer.from([(isComplete ? 0x80 : 0) | type, sets.length >> 8, sets.length & 255]);
    return [head, ...writeSets(sets)];
  });
  return Buffer.concat([header, Buffer.from([units.size]), ...arrays]);
}

/** Bytes of the header that must be equal: profile, chroma format and both bit depths. */
const profileBits = 0x1f;
const sameBytes = [16, 17, 18];

function mergeConfigurations(all: readonly HevcConfiguration[]): HevcConfiguration | undefined {
  const [main] = all;
  if (!main) return undefined;
  const isSame = all.every(
    ({ header }) =>
      ((header[1] ?? 0) & profileBits) === ((main.header[1] ?? 0) & profileBits) &&
      sameBytes.every((at) => header[at] === main.header[at]),
  );
  if (!isSame) return undefined;
  const units = new Map(main.units);
  for (const type of Object.values(setTypes)) {
    const sets = all.flatMap((one) => [...(one.units.get(type) ?? [])]);
    const merged = mergeSets(sets, (set) => setId(type, set));
    if (!merged) return undefined;
    units.set(type, merged);
  }
  const header = Buffer.from(main.header);
  // The highest tier and level; nothing is known of segmentation and parallelism.
  for (const one of all) header[1] = (header[1] ?? 0) | ((one.header[1] ?? 0) & 0x20);
  header[12] = Math.max(...all.map((one) => one.header[12] ?? 0));
  header.write("f000fc", 13, "hex");
  return { header, units };
}

function setId(type: number, unit: Buffer): number {
  const set = unescapeUnit(unit);
  if (type === setTypes.video) return (set[2] ?? 0) >> 4;
  return readExpGolomb(set, type === setTypes.sequence ? sequenceIdAt(set) : 2);
}
