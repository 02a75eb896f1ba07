import { readdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ListedImage, listImages } from "#lib/engines/pdf/list-images.ts";
import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { OutputFile } from "../../define.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import * as functions from "./worker-functions.ts";

/** A picture of a PDF as it is written, and the first page that has it. */
export interface Picture {
  readonly file: OutputFile;
  readonly page: number;
  readonly hasAlpha: boolean;
}

/** Extensions of pdfimages and of our media types. */
const extensions: Readonly<Record<string, string>> = {
  jpg: "jpg",
  jp2: "jp2",
  png: "png",
  tif: "tiff",
};

/**
 * Writes each picture once: JPEG and JPEG 2000 data as it is stored, other data as PNG (CMYK as TIFF), and
 * pictures with a mask as PNG with alpha. Throws `JobError`: `empty` if there is none, `too_complex`, and
 * what the engines throw.
 */
export async function extractPictures(
  input: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  progress: (percent: number) => void,
): Promise<Picture[]> {
  const normalized = await normalizePdf(input, work, signal);
  const { outputs, result } = await callInWorker(functions.arrangeImages, {
    files: [normalized],
    work,
    signal,
    timeoutMs: work.limits.pdfSeconds * 1000,
  });
  const [arranged] = outputs;
  if (!arranged) throw new Error("a worker returned no PDF");
  progress(20);
  const rows = Map.groupBy(await listImages(arranged, work, signal), ({ page }) => page);
  const extracted = await runPdfimages(arranged, work, signal);
  progress(60);
  const pictures: Picture[] = [];
  for (const [index, { page, hasInvertedMask }] of result.images.entries()) {
    const [image, mask] = rows.get(index + 1) ?? [];
    const file = image && extracted.get(image.number);
    if (!file) continue;
    const maskFile = mask && extracted.get(mask.number);
    const masked = maskFile && (await withMask(file, maskFile, hasInvertedMask, work, signal));
    pictures.push({
      file: masked ?? (await asOutput(file, image, work)),
      page,
      hasAlpha: !!masked,
    });
    progress(60 + (40 * (index + 1)) / result.images.length);
  }
  return pictures;
}

/** Runs pdfimages. The files have its numbers. */
async function runPdfimages(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Map<number, WorkFile>> {
  const scratch = work.scratch("png");
  const prefix = scratch.name.slice(0, -".png".length);
  await runPdfEngine("poppler", work, signal, {
    command: "pdfimages",
    args: ["-png", "-tiff", "-j", "-jp2", file.name, prefix],
  });
  const folder = dirname(scratch.path);
  const pattern = new RegExp(`^${basename(prefix)}-0*(\\d+)\\.(jpg|jp2|png|tif)$`);
  const files = new Map<number, WorkFile>();
  for (const name of await readdir(folder)) {
    const [found, number, extension = ""] = pattern.exec(name) ?? [];
    if (!found) continue;
    const path = join(folder, name);
    files.set(Number(number), { name: `tmp/${name}`, path, extension });
  }
  return files;
}

async function asOutput(
  file: WorkFile,
  { width, height }: ListedImage,
  work: WorkFolder,
): Promise<OutputFile> {
  const output = work.output(extensions[file.extension] ?? file.extension);
  await rename(file.path, output.path);
  return { ...output, width, height };
}

async function withMask(
  image: WorkFile,
  mask: WorkFile,
  isInverted: boolean,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<OutputFile> {
  const { outputs } = await callInWorker(functions.applyMask, {
    files: [image, mask],
    options: { isInverted },
    work,
    signal,
  });
  const [masked] = outputs;
  if (!masked) throw new Error("a worker returned no image");
  const output = work.output("png");
  await rename(masked.path, output.path);
  return { ...masked, ...output };
}
