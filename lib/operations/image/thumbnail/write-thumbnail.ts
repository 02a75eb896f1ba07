import { type Box, coversFrame } from "#lib/engines/image/box.ts";
import {
  displayedSize,
  loadSharp,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import { openFirstFrame } from "#lib/engines/image/upright.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import type { OutputFile } from "../../define.ts";
import { offsetIn } from "../../fields/index.ts";
import { type CropStrategy, findFaceWindow } from "../../shared/image/crop-strategy.ts";

export const thumbnailFormats = ["jpeg", "png", "webp", "avif"] as const;

interface ThumbnailRequest {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  readonly strategy: CropStrategy | "center";
  readonly format: (typeof thumbnailFormats)[number];
}

/**
 * Writes the first frame, upright, in sRGB with 8 bits and without metadata, cropped to exactly `width`
 * × `height`. Smaller images are enlarged. Throws `JobError` if the image is damaged.
 */
export async function writeThumbnail(
  source: SourceImage,
  { width, height, strategy, format }: ThumbnailRequest,
  work: WorkFolder,
): Promise<OutputFile> {
  const sharp = await loadSharp();
  const first = await openFirstFrame(source);
  const size = displayedSize(source);
  const strip = limitStrip(size, { width, height });
  const isStrip = !coversFrame(strip, size);
  if (isStrip) first.extract({ ...offsetIn(size, strip, "center"), ...strip });
  const isFace = strategy === "face";
  const faceBox = isFace && !isStrip ? await findFaceBox(source, { width, height }) : undefined;
  if (faceBox) first.extract(faceBox);
  const position =
    strategy === "center" ? "center" : sharp.strategy[isFace ? "attention" : strategy];
  const cropped = first.resize({ width, height, fit: "cover", position }).toColorspace("srgb");
  const output = work.output(mediaType(format).extension);
  await translateVipsErrors(encode(cropped, format).toFile(output.path));
  return { ...output, width, height };
}

/** The largest part of `source` with the ratio of `target` around its faces, if it has any. */
async function findFaceBox(source: SourceImage, target: Size): Promise<Box | undefined> {
  const size = displayedSize(source);
  const scale = Math.max(target.width / size.width, target.height / size.height);
  const box = {
    width: Math.min(size.width, Math.max(1, Math.round(target.width / scale))),
    height: Math.min(size.height, Math.max(1, Math.round(target.height / scale))),
  };
  const corner = await findFaceWindow(source, size, box);
  return corner && { ...corner, ...box };
}

/** How often the thumbnail may fit into the scaled image; more would be a strip of many pixels. */
const maxRepeats = 8;

/** The part of an image of `size` that is scaled: all of it, except for an extremely long strip. */
function limitStrip(size: Size, target: Size): Size {
  const scale = Math.max(target.width / size.width, target.height / size.height);
  return {
    width: Math.min(size.width, Math.ceil((target.width * maxRepeats) / scale)),
    height: Math.min(size.height, Math.ceil((target.height * maxRepeats) / scale)),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function encode(image: Sharp, format: ThumbnailRequest["format"]): Sharp {
  switch (format) {
    case "jpeg":
      return image.flatten({ background: "#ffffff" }).jpeg({ quality: 82, mozjpeg: true });
    case "png":
      return image.png();
    case "webp":
      return image.webp({ quality: 82 });
    case "avif":
      return image.avif({ quality: 60, effort: 3 });
  }
}
