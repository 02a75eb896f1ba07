import { type FileHandle, rename } from "node:fs/promises";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { createNew, openRegular } from "#lib/files/regular-files.ts";
import { findBox, replaceBoxes } from "#lib/formats/iso-boxes/track-boxes.ts";
import { renumberConfiguration, renumberSlice, unitType } from "./hevc-configuration.ts";
import { readMovieIndex } from "./movie-index.ts";

/** Changes the pictures of HEVC in an MP4 with one track that ffmpeg wrote. */

/** Types of NAL units (ITU-T H.265, table 7-1). */
const lastSlice = 31;
const idr = [19, 20];
const cra = 21;
const blaWithoutLeading = 18;

/**
 * Renumbers the parameter sets of the video, so that another encoding can follow in the same file.
 * False, with the file unchanged, if their numbers are not those that x265 uses.
 */
export async function renumberSets(file: WorkFile, work: WorkFolder): Promise<boolean> {
  const index = await readMovieIndex(file);
  const table = index && readSampleTable(index.moov);
  const configuration = index && findBox(index.moov, "hvcC");
  const sets = configuration && renumberConfiguration(configuration);
  // A part that is encoded again is far smaller than 4 GiB.
  if (!index || !table || !sets || findBox(index.moov, "co64")) return false;
  const { start, sizes } = table;
  const changed = work.scratch("mp4");
  const from = await openRegular(file.path);
  const to = await createNew(changed.path);
  try {
    const head = Buffer.alloc(start);
    await from.read(head, 0, start, 0);
    await to.write(head);
    const written: number[] = [];
    let at = start;
    for (const size of sizes) {
      const sample = await readSample(from, at, size);
      const units = [...unitsOf(sample)].map((unit) =>
        unitType(unit) <= lastSlice ? renumberSlice(unit) : unit,
      );
      const known = units.filter((unit) => unit !== undefined);
      if (known.length !== units.length) return false;
      const content = Buffer.concat(known.flatMap((unit) => [lengthOf(unit), unit]));
      await to.write(content);
      written.push(content.length);
      at += size;
    }
    const total = written.reduce((sum, size) => sum + size, 0);
    const length = Buffer.alloc(4);
    // `mdat` contains the samples and nothing else.
    if (at !== index.at) return false;
    length.writeUInt32BE(total + 8);
    await to.write(length, 0, 4, start - 8);
    const contents = { hvcC: sets, ...writeSampleTable(start, written) };
    const moov = replaceBoxes(index.moov, contents);
    await to.write(moov, 0, moov.length, start + total);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
  await rename(changed.path, file.path);
  return true;
}

/**
 * Makes the first picture start a sequence of its own, so that another encoding can stand before it.
 * False, with the file unchanged, if it needs earlier pictures.
 */
export async function startSequence(file: WorkFile): Promise<boolean> {
  const index = await readMovieIndex(file);
  const table = index && readSampleTable(index.moov);
  const [size] = table?.sizes ?? [];
  if (!table || size === undefined) return false;
  const handle = await openRegular(file.path, "r+");
  try {
    const sample = await readSample(handle, table.start, size);
    const slices = [...unitsOf(sample)].filter((unit) => unitType(unit) <= lastSlice);
    if (slices.length === 0) return false;
    if (slices.every((unit) => idr.includes(unitType(unit)))) return true;
    if (!slices.every((unit) => unitType(unit) === cra)) return false;
    // A clean random access picture (CRA) continues the sequence before it. Where streams are joined,
    // it becomes a broken link access picture (BLA), which is coded in the same way.
    for (const unit of slices) unit[0] = ((unit[0] ?? 0) & 0x81) | (blaWithoutLeading << 1);
    await handle.write(sample, 0, size, table.start);
    return true;
  } finally {
    await handle.close();
  }
}

async function readSample(handle: FileHandle, at: number, size: number): Promise<Buffer> {
  const sample = Buffer.alloc(size);
  await handle.read(sample, 0, size, at);
  return sample;
}

/** The NAL units of a sample, each after its length in four bytes. They share its memory. */
function* unitsOf(sample: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= sample.length; ) {
    const end = at + 4 + sample.readUInt32BE(at);
    yield sample.subarray(at + 4, end);
    at = end;
  }
}

function lengthOf(unit: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.length);
  return length;
}

/**
 * The size of each sample in bytes, and where the first one starts. They follow each other. A file of
 * more than 4 GiB has offsets of 64 bits.
 */
function readSampleTable(moov: Buffer): { start: number; sizes: number[] } | undefined {
  const [sizes, short, long] = ["stsz", "stco", "co64"].map((type) => findBox(moov, type));
  const isShort = short !== undefined && short.length >= 12;
  if (!sizes || (!isShort && (!long || long.length < 16))) return undefined;
  const all = sizes.readUInt32BE(4);
  const count = sizes.readUInt32BE(8);
  return {
    start: isShort ? short.readUInt32BE(8) : Number(long?.readBigUInt64BE(8)),
    sizes: Array.from({ length: count }, (_, index) => all || sizes.readUInt32BE(12 + 4 * index)),
  };
}

/** The boxes that say where samples are: all in one chunk at `start`. */
function writeSampleTable(start: number, sizes: readonly number[]) {
  const box = (...values: number[]) => {
    const content = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) content.writeUInt32BE(value, 4 * index);
    return content;
  };
  return {
    stsz: box(0, 0, sizes.length, ...sizes),
    stsc: box(0, 1, 1, sizes.length, 1),
    stco: box(0, 1, start),
  };
}
