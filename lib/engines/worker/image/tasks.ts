import type { Metadata, Sharp } from "sharp";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { type Conversion, convertImage } from "../../image/formats/convert.ts";
import { openSvg } from "../../image/formats/open-svg.ts";
import { loadSharp, openImage, optionsFor, translateVipsErrors } from "../../image/open.ts";
import { rasterizeText, type TextOptions } from "../../image/rasterize-text.ts";
import { scanImage } from "../../image/scan.ts";
import type { VectorSize } from "../../image/vector-size.ts";
import type { WorkFile } from "../../sandbox/work-folder.ts";
import { requireFiles, type WorkerCall, type WorkerOutput } from "../worker-function.ts";
import type { ImageInfo } from "./image-info-schema.ts";

/** Functions of a worker on images and text, for what runs in the runner. */

/** Renders text into a PNG; one transparent pixel if no glyph is visible. */
export async function renderText({
  options,
  work,
}: WorkerCall<TextOptions>): Promise<WorkerOutput> {
  const sharp = await loadSharp();
  const blank = { data: Buffer.alloc(4), width: 1, height: 1 };
  const { data, width, height } = (await rasterizeText(options)) ?? blank;
  const output = work.scratch("png");
  const raw = { width, height, channels: 4 } as const;
  await sharp(data, { raw }).png({ compressionLevel: 1 }).toFile(output.path);
  return { outputs: [{ ...output, width, height }] };
}

/** Reads the header of an image. */
export async function readHeader({
  files,
  work: { limits },
}: WorkerCall): Promise<WorkerOutput<ImageInfo>> {
  const [file] = requireFiles(files);
  if (file.extension === "svg") {
    const { metadata } = await openSvg(await readSvg(file, limits));
    return { outputs: [], result: describeHeader(metadata, metadata.height, 1) };
  }
  const image = await openImage(file, limits);
  return { outputs: [], result: describeHeader(image.metadata, image.height, image.pages) };
}

function describeHeader(metadata: Metadata, height: number, pages: number): ImageInfo {
  const { format, width, space, channels, depth, hasAlpha, hasProfile } = metadata;
  const { orientation, delay, loop, density } = metadata;
  const heif = metadata.compression === "hevc" ? "heic" : "avif";
  const name = format === "heif" ? heif : format;
  const header = { format: name, width, height, space, channels, depth, hasAlpha, hasProfile };
  return { ...header, pages, orientation, delay, loop, density };
}

/** Writes the first frame upright as an sRGB PNG with alpha, scaled to `width` if given. */
export async function normalizeToPng({
  files,
  options: { width },
  work,
}: WorkerCall<{ readonly width?: number | undefined }>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  const upright = (await openFile(file, work.limits)).autoOrient();
  if (width) upright.resize({ width, height: undefined });
  const output = work.scratch("png");
  const info = await translateVipsErrors(
    upright.toColorspace("srgb").ensureAlpha().png({ compressionLevel: 1 }).toFile(output.path),
  );
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
}

async function openFile(file: WorkFile, limits: FileLimits): Promise<Sharp> {
  if (file.extension === "svg") return (await openSvg(await readSvg(file, limits))).draw(1);
  const sharp = await loadSharp();
  return sharp(file.path, await optionsFor(file));
}

export interface ConvertOptions {
  readonly conversion: Conversion;
  readonly isDecoded: boolean;
}

/** Converts an image to another format. */
export async function convert({
  files,
  options: { conversion, isDecoded },
  work,
}: WorkerCall<ConvertOptions>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  return { outputs: [await convertImage(file, conversion, work, isDecoded)] };
}

/**
 * Draws an SVG as a PNG, so large that neither side is shorter than `size` asks for, as far as the limit of
 * pixels allows. Throws `JobError`: `too_complex` if its own size is above the limit, `corrupt`.
 */
export async function drawSvg({
  files,
  options: size,
  work,
}: WorkerCall<VectorSize>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  const { width, height, draw } = await openSvg(await readSvg(file, work.limits));
  const { imagePixels } = work.limits;
  if (width * height > imagePixels) throw limitError("imagePixels", imagePixels);
  const wanted = Math.max((size.width ?? 1) / width, (size.height ?? 1) / height);
  // One more, because sides are rounded up.
  const most = Math.min(size.mostPixels ?? imagePixels, imagePixels);
  const largest = Math.sqrt(most / ((width + 1) * (height + 1)));
  const output = work.scratch("png");
  const drawn = draw(Math.max(1, Math.min(wanted, largest))).toColorspace("srgb");
  const info = await translateVipsErrors(drawn.png({ compressionLevel: 1 }).toFile(output.path));
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
}

/** Prepares an image for text recognition. */
export async function scan({
  files,
  options,
  work,
}: WorkerCall<{ readonly scale: number }>): Promise<WorkerOutput<{ scale: number }>> {
  const [file] = requireFiles(files);
  const { scale: actual, ...scan } = await scanImage(file, options.scale, work);
  return { outputs: [scan], result: { scale: actual } };
}

/** An SVG is read into memory as a whole. */
async function readSvg(file: WorkFile, { svgBytes }: FileLimits): Promise<Buffer> {
  if ((await statRegular(file.path)).size > svgBytes) throw limitError("svgBytes", svgBytes);
  return readRegular(file.path);
}
