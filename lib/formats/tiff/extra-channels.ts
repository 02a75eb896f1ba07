import type { ByteSource } from "#lib/media/byte-source.ts";
import { type FirstDirectory, readFirstDirectory } from "./first-directory.ts";

/** Tags of TIFF 6.0: what the channels of a pixel are. */
const tags = { photometric: 262, samplesPerPixel: 277, numberOfInks: 334, extraSamples: 338 };

/** The number of colors by the value of PhotometricInterpretation; of inks, there may be more than four. */
const colorsOf: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 5: 4, 6: 3, 8: 3 };
const separated = 5;

/** The values of ExtraSamples for transparency, premultiplied and not. */
const alphas = [1, 2];

export interface Channels {
  /** The channels of a pixel that images have: its colors, and its alpha if it has one. */
  readonly shown: number;
  /** The number of those after them, such as selections and spot colors. */
  readonly extra: number;
}

/**
 * The channels of the first page of a TIFF file that has more than colors and one other channel, which
 * everything takes for alpha. Undefined for all others. Throws `DamagedDataError` if it is not a TIFF.
 */
export async function readExtraChannels(source: ByteSource): Promise<Channels | undefined> {
  const directory = await readFirstDirectory(source);
  if (!directory) return undefined;
  const { layout, entries } = directory;
  const photometric = readNumber(directory, tags.photometric) ?? Number.NaN;
  const inks = photometric === separated ? readNumber(directory, tags.numberOfInks) : undefined;
  const usual = colorsOf[photometric];
  const colors = usual && Math.max(usual, inks ?? 0);
  const all = readNumber(directory, tags.samplesPerPixel) ?? 1;
  if (colors === undefined || all < colors + 2) return undefined;
  const declared = entries.get(tags.extraSamples);
  // Two values of 2 bytes fit into an entry of TIFF, and four into one of BigTIFF.
  const isInline = declared && declared.count * 2 <= layout.pointerBytes;
  const at = declared && layout.uint(declared.value, 0, layout.pointerBytes);
  const first = isInline ? declared.value : at && (await source.read(at, 2));
  const hasAlpha = first && first.length >= 2 && alphas.includes(layout.uint(first, 0, 2));
  const shown = colors + (hasAlpha ? 1 : 0);
  return { shown, extra: all - shown };
}

/** The value of an entry with one number of 16 bits. */
function readNumber({ layout, entries }: FirstDirectory, tag: number): number | undefined {
  const entry = entries.get(tag);
  return entry && layout.uint(entry.value, 0, 2);
}
