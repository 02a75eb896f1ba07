import { writeNew } from "#lib/files/regular-files.ts";
import { type AvifStill, moveImages, readAvifStill } from "#lib/formats/avif/avif-still.ts";
import { type AvifMovie, type AvifTrack, buildMovie } from "#lib/formats/avif/avif-tracks.ts";
import { box, uint32 } from "#lib/formats/iso-boxes/write-boxes.ts";
import type { WorkFile } from "../../sandbox/work-folder.ts";
import type { FramePixels } from "../frames.ts";
import { loadSharp, translateVipsErrors } from "../open.ts";
import type { SavedImage } from "../save.ts";
import type { Timing } from "./write-apng.ts";

/**
 * Writes animated AVIF files (AV1 Image File Format, 3. Image sequences), which libvips does not
 * write. Each frame is encoded on its own.
 */

const effort = 3;

/** How each frame is encoded; the quality is from 1 to 100. */
export type FrameQuality = { readonly quality: number } | { readonly lossless: true };

const defaultQuality: FrameQuality = { quality: 65 };

/** The delay of a frame that has none, in milliseconds. */
const defaultDelayMs = 100;

/** Writes frames in RGBA with 8 bits. */
export async function writeAvifSequence(
  frames: FramePixels,
  { delay, loop = 0 }: Timing,
  output: WorkFile,
  quality = defaultQuality,
): Promise<SavedImage> {
  const { width, height, pages } = frames;
  const isOpaque = frames.samples.every((value, index) => index % 4 !== 3 || value === 255);
  const stills: AvifStill[] = [];
  for (let page = 0; page < pages; page++) {
    stills.push(readAvifStill(await encodeFrame(frames, page, isOpaque, quality)));
  }
  const delays = Array.from({ length: pages }, (_, page) => delay?.[page] ?? defaultDelayMs);
  const tracks = [0, ...(isOpaque ? [] : [1])].map((index) => toTrack(stills, index));
  const movie = { width, height, delays, loop, tracks };
  await writeNew(output.path, buildFile(movie, stills[0]));
  return { ...output, width, height };
}

function toTrack(stills: readonly AvifStill[], index: number): AvifTrack {
  const images = stills.flatMap((still) => still.images[index] ?? []);
  const configuration = images[0]?.configuration;
  if (!configuration || images.length !== stills.length) throw new Error("a frame has no alpha");
  return { configuration, samples: images.map(({ sample }) => sample) };
}

/** Programs that show no animations show the first frame, which is also described as a still image. */
function buildFile(movie: AvifMovie, first: AvifStill | undefined): Buffer {
  const brands = ["avis", "avif", "mif1", "msf1", "iso8", "miaf"].map((name) => Buffer.from(name));
  const header = box("ftyp", Buffer.from("avis"), uint32(0), ...brands);
  // The sizes of both boxes do not depend on the offset of the data behind them.
  const offset =
    header.length + (first ? first.meta.length + 8 : 0) + buildMovie(movie, 0).length + 8;
  const starts = movie.tracks.map((_, index) => offset + sizeOf(movie.tracks.slice(0, index)));
  const meta = first ? [box("meta", moveImages(first, starts))] : [];
  const data = box("mdat", ...movie.tracks.flatMap(({ samples }) => samples));
  return Buffer.concat([header, ...meta, buildMovie(movie, offset), data]);
}

function sizeOf(tracks: readonly AvifTrack[]): number {
  return tracks.flatMap(({ samples }) => samples).reduce((sum, sample) => sum + sample.length, 0);
}

async function encodeFrame(
  { width, height, samples }: FramePixels,
  page: number,
  isOpaque: boolean,
  quality: FrameQuality,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const length = width * height * 4;
  // Samples of 8 bits.
  const frame = samples.subarray(page * length, (page + 1) * length) as Uint8Array;
  const opened = sharp(frame, { raw: { width, height, channels: 4 } });
  const encoded = (isOpaque ? opened.removeAlpha() : opened).avif({ ...quality, effort });
  return translateVipsErrors(encoded.toBuffer());
}
