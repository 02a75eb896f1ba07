import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { openImage, translateVipsErrors } from "./open.ts";

/** Larger scans are scaled down: an A3 page at 300 dots per inch has 17 megapixels. */
const maxPixels = 25_000_000;

/** Text recognition is unreliable in an image of a few pixels, such as 1 × 1. */
const minSide = 40;

export interface Scan extends WorkFile {
  readonly width: number;
  readonly height: number;
  /** Pixels of the scan for one of the upright image. */
  readonly scale: number;
}

/**
 * Writes the first page of `file` to a PNG for text recognition: upright, in gray on white, scaled by
 * `wantedScale` as far as its size allows, with a margin if it is tiny. Throws `JobError`.
 */
export async function scanImage(
  file: WorkFile,
  wantedScale: number,
  work: WorkFolder,
): Promise<Scan> {
  const source = await openImage(file, work.limits, { firstPage: true });
  const isTurned = source.orientation >= 5;
  const [width, height] = isTurned ? [source.height, source.width] : [source.width, source.height];
  const scale = Math.min(wantedScale, Math.sqrt(maxPixels / (width * height)));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  const output = work.scratch("png");
  const missing = (side: number) => Math.max(0, minSide - scaled(side));
  const image = source
    .toSrgb()
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .resize({ width: scaled(width), height: scaled(height), fit: "fill" })
    .extend({ right: missing(width), bottom: missing(height), background: "#ffffff" })
    .toColorspace("b-w")
    .png({ compressionLevel: 1 });
  const info = await translateVipsErrors(image.toFile(output.path));
  return { ...output, width: info.width, height: info.height, scale: scaled(width) / width };
}
