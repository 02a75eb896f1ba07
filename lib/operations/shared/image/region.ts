import type { Box } from "#lib/engines/image/box.ts";
import { readableSpace } from "#lib/engines/image/frames.ts";
import type { NativeSpace, Sharp, SourceImage } from "#lib/engines/image/open.ts";
import { translateVipsErrors } from "#lib/engines/image/open.ts";
import type { Samples } from "./blend-region.ts";
import { buildXorMask } from "./mask.ts";

/** Reads and changes boxes of all frames. All other pixels remain unchanged bit by bit. */

const isGrayscale = (space: NativeSpace) => space === "b-w" || space === "grey16";

/**
 * The pixels of `box`, in the rows and columns of the file, in all frames, one below the other, after
 * `change` of the whole image. Grayscale pixels are returned as RGB.
 */
export async function readRegion(
  source: SourceImage,
  box: Box,
  space = source.space,
  change = (extracted: Sharp) => extracted,
): Promise<Samples> {
  const readable = readableSpace({ space });
  const read = change(source.pipeline(readable).extract(box)).raw({ depth: source.depth });
  const { data, info } = await translateVipsErrors(read.toBuffer({ resolveWithObject: true }));
  const alphaIndex = readable === "cmyk" ? 4 : 3;
  const samples = source.depth === "ushort" ? toWords(data) : data;
  return { samples, channels: info.channels, hasAlpha: info.channels > alphaIndex };
}

function toWords(data: Buffer): Uint16Array {
  // The copy is aligned to an even memory address, which 16-bit numbers require.
  return new Uint16Array(Uint8Array.from(data).buffer);
}

/** The `slice` of a `Buffer` is no copy. */
export function copySamples(samples: Samples["samples"]): Samples["samples"] {
  return samples instanceof Uint16Array ? new Uint16Array(samples) : Uint8Array.from(samples);
}

/** The smallest box with all of `boxes`. */
export function boundsOf(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * A pipeline of `source` in which the pixels of `bounds` are replaced: `before`, as `readRegion` has
 * read them, by `after`, whose samples are used up.
 */
export async function replaceRegion(
  source: SourceImage,
  bounds: Box,
  before: Samples,
  after: Samples["samples"],
): Promise<Sharp> {
  const colors = before.channels - (before.hasAlpha ? 1 : 0);
  // Of gray pixels, all colors are the same.
  const kept = isGrayscale(source.space) ? 1 : colors;
  const channels = kept + (before.hasAlpha ? 1 : 0);
  const pixels = after.length / before.channels;
  const isWords = after instanceof Uint16Array;
  // In place if it is possible, because large images leave little memory.
  const isInPlace = channels === before.channels;
  const samples = isInPlace
    ? after
    : isWords
      ? new Uint16Array(pixels * channels)
      : Buffer.alloc(pixels * channels);
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      const from = pixel * before.channels + (channel < kept ? channel : colors);
      samples[pixel * channels + channel] = (before.samples[from] ?? 0) ^ (after[from] ?? 0);
    }
  }
  const mask = await buildXorMask(source, bounds, { samples, channels, hasAlpha: before.hasAlpha });
  // XOR with zero changes nothing.
  return source.pipeline().boolean(mask.input, "eor", mask.options);
}

/**
 * The samples of `bounds` in all frames with `boxes` of `after` and everything else of `before`; boxes
 * are in the rows and columns of the file.
 */
export function mergeBoxes(
  before: Samples,
  after: Samples["samples"],
  bounds: Box,
  boxes: readonly Box[],
): Samples["samples"] {
  const { channels } = before;
  const merged = copySamples(before.samples);
  const pages = merged.length / (bounds.width * bounds.height * channels);
  for (const box of boxes) {
    for (let row = 0; row < pages * box.height; row++) {
      const page = Math.floor(row / box.height);
      const y = page * bounds.height + box.top - bounds.top + (row % box.height);
      const start = (y * bounds.width + box.left - bounds.left) * channels;
      merged.set(after.subarray(start, start + box.width * channels), start);
    }
  }
  return merged;
}
