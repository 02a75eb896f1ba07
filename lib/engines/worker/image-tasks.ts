import { readFile, stat } from "node:fs/promises";
import type { Metadata } from "sharp";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { inputOptions, loadSharp, openImage, optionsFor, orJobError } from "../image/open.ts";
import { drawText, type TextOptions } from "../image/render-text.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/** What an image worker does beside operations, for engines and operations outside of it. */

export interface TaskAnswer {
  readonly outputs: (WorkFile & { readonly width?: number; readonly height?: number })[];
  readonly result?: Record<string, unknown>;
}

/** Draws text into a PNG; one transparent pixel where there is nothing to see. */
export async function drawTextTask(options: TextOptions, work: WorkFolder): Promise<TaskAnswer> {
  const sharp = await loadSharp();
  const blank = { data: Buffer.alloc(4), width: 1, height: 1 };
  const { data, width, height } = (await drawText(options)) ?? blank;
  const output = work.scratch("png");
  const raw = { width, height, channels: 4 } as const;
  await sharp(data, { raw }).png({ compressionLevel: 1 }).toFile(output.path);
  return { outputs: [{ ...output, width, height }] };
}

/** Tells what an image's header says. */
export async function inspectTask(
  file: WorkFile,
  { limits: caps }: WorkFolder,
): Promise<TaskAnswer> {
  if (file.extension === "svg") {
    const sharp = await loadSharp();
    const metadata = await orJobError(sharp(await readSvg(file, caps), inputOptions).metadata());
    return { outputs: [], result: readHeader(metadata, metadata.height, 1) };
  }
  const image = await openImage(file, caps);
  return { outputs: [], result: readHeader(image.metadata, image.height, image.pages) };
}

function readHeader(metadata: Metadata, height: number, pages: number): Record<string, unknown> {
  const { format, width, space, channels, depth, hasAlpha, hasProfile } = metadata;
  const { orientation, delay, loop, density } = metadata;
  const heif = metadata.compression === "hevc" ? "heic" : "avif";
  const name = format === "heif" ? heif : format;
  const header = { format: name, width, height, space, channels, depth, hasAlpha, hasProfile };
  return { ...header, pages, orientation, delay, loop, density };
}

/** Writes the first frame upright as an sRGB PNG with alpha, `width` pixels wide. */
export async function toPngTask(
  file: WorkFile,
  width: number | undefined,
  work: WorkFolder,
): Promise<TaskAnswer> {
  const sharp = await loadSharp();
  const input = file.extension === "svg" ? await readSvg(file, work.limits) : file.path;
  const upright = sharp(input, await optionsFor(file)).autoOrient();
  if (width) upright.resize({ width, height: undefined });
  const output = work.scratch("png");
  const info = await orJobError(
    upright.toColourspace("srgb").ensureAlpha().png({ compressionLevel: 1 }).toFile(output.path),
  );
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
}

/** An SVG is read as a whole. */
async function readSvg(file: WorkFile, { svgBytes }: FileLimits): Promise<Buffer> {
  if ((await stat(file.path)).size > svgBytes) throw limitError("svgBytes", svgBytes);
  return readFile(file.path);
}
