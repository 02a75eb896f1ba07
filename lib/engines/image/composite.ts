import { writeFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import type { WorkFolder } from "../sandbox/work-folder.ts";
import { blendPatch, type Samples } from "./blend-region.ts";
import { buildMask } from "./mask.ts";
import { loadSharp, type NativeSpace, orJobError, type SourceImage } from "./open.ts";

/**
 * Draws a small picture onto an image, inside an image worker. Outside of the small picture every
 * bit of every pixel stays as it was, whatever its depth, colour space and transparency.
 */

/** RGBA, 8 bits, not premultiplied. */
export interface Stamp {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A part of a frame, in the file's own rows and columns. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The size of `source` as it is displayed: with its sides exchanged where it is turned. */
export function uprightSize(source: SourceImage): { width: number; height: number } {
  const { width, height } = source;
  return source.orientation >= 5 ? { width: height, height: width } : { width, height };
}

/**
 * A pipeline of `source` with `stamp` on each frame, its top left corner at `at` in the displayed
 * picture, wholly inside of it. The stamp is sRGB; its colours are converted to the image's own.
 */
export async function stampImage(
  source: SourceImage,
  stamp: Stamp,
  at: { left: number; top: number },
  work: WorkFolder,
): Promise<Sharp> {
  const space = spaceFor(source, stamp);
  const { box, stored } = turnToStored(source, stamp, at);
  const colors = await convertColors(source, space, stored, work);
  const patch = await readPatch(source, space, box);
  const ink = { ...colors, alpha: stored.data };
  // In a GIF a pixel is solid or not there, so that half-transparent ink on nothing would vanish.
  const changes = blendPatch(patch, ink, source.metadata.format === "gif");
  // With zero, exclusive or changes nothing; compositing would take all pixels through 8-bit sRGB.
  const mask = await buildMask(source, box, changes);
  return source.pipeline(space).boolean(mask.input, "eor", mask.options);
}

const isGrey = (space: NativeSpace) => space === "b-w" || space === "grey16";

/** The image's own space; a grey image without a profile takes colour where the stamp has some. */
function spaceFor({ space, metadata }: SourceImage, { data }: Stamp): NativeSpace {
  if (!isGrey(space) || metadata.hasProfile) return space;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 0 && (data[i] !== data[i + 1] || data[i] !== data[i + 2])) {
      return space === "b-w" ? "srgb" : "rgb16";
    }
  }
  return space;
}

/** Per EXIF orientation: whether stored and displayed sides are exchanged, then what is mirrored. */
const turns = [
  { swap: false, mirrorX: false, mirrorY: false },
  { swap: false, mirrorX: true, mirrorY: false },
  { swap: false, mirrorX: true, mirrorY: true },
  { swap: false, mirrorX: false, mirrorY: true },
  { swap: true, mirrorX: false, mirrorY: false },
  { swap: true, mirrorX: false, mirrorY: true },
  { swap: true, mirrorX: true, mirrorY: true },
  { swap: true, mirrorX: true, mirrorY: false },
] as const;

/** The stamp as it must lie in the file's own rows to be displayed upright, and where. */
function turnToStored(source: SourceImage, stamp: Stamp, at: { left: number; top: number }) {
  const { swap, mirrorX, mirrorY } = turns[source.orientation - 1] ?? turns[0];
  const width = swap ? stamp.height : stamp.width;
  const height = swap ? stamp.width : stamp.height;
  const left = swap ? at.top : at.left;
  const top = swap ? at.left : at.top;
  const data = Buffer.alloc(stamp.data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const seenX = mirrorX ? width - 1 - x : x;
      const seenY = mirrorY ? height - 1 - y : y;
      const from = swap ? seenX * stamp.width + seenY : seenY * stamp.width + seenX;
      data.writeUInt32LE(stamp.data.readUInt32LE(from * 4), (y * width + x) * 4);
    }
  }
  const box: Box = {
    left: mirrorX ? source.width - left - width : left,
    top: mirrorY ? source.height - top - height : top,
    width,
    height,
  };
  return { box, stored: { data, width, height } };
}

/** The stamp's colours in the image's space, its alpha aside, 0 to 255. */
async function convertColors(
  source: SourceImage,
  space: NativeSpace,
  { data, width, height }: Stamp,
  work: WorkFolder,
): Promise<{ colors: Buffer; channels: number }> {
  const sharp = await loadSharp();
  const opened = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const profile = source.metadata.icc;
  if (isGrey(space)) opened.toColourspace("b-w");
  else if (profile) {
    const file = work.scratch("icc");
    await writeFile(file.path, profile);
    opened.withIccProfile(file.path);
  } else if (space === "cmyk") opened.withIccProfile("cmyk");
  const converted = await orJobError(opened.raw().toBuffer({ resolveWithObject: true }));
  return { colors: converted.data, channels: converted.info.channels };
}

/** The pixels of `box` in each frame, one under the other. Grey ones come as red, green and blue. */
async function readPatch(source: SourceImage, space: NativeSpace, box: Box): Promise<Samples> {
  // sharp writes the raw pixels of a grey image without their alpha.
  const readable = space === "b-w" ? "srgb" : space === "grey16" ? "rgb16" : space;
  const read = source.pipeline(readable).extract(box).raw({ depth: source.depth });
  const { data, info } = await orJobError(read.toBuffer({ resolveWithObject: true }));
  const alphaIndex = readable === "cmyk" ? 4 : 3;
  const samples = source.depth === "ushort" ? toWords(data) : data;
  return { samples, channels: info.channels, hasAlpha: info.channels > alphaIndex };
}

function toWords(data: Buffer): Uint16Array {
  // A copy starts on an even address, as 16-bit numbers must.
  return new Uint16Array(Uint8Array.from(data).buffer);
}
