import { displayedSize, openImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { openFirstFrame } from "#lib/engines/image/upright.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import type { Overlay } from "../../shared/image/composite.ts";
import { rotatedSize, rotateFrame } from "../../shared/image/rotate-frame.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

interface WatermarkOptions {
  /** The share of the image's width, from 0 to 1. */
  readonly scale: number;
  /** The opacity from 0 to 1. */
  readonly opacity: number;
  /** The angle in degrees clockwise. */
  readonly angle: number;
}

const transparent = { red: 0, green: 0, blue: 0, alpha: 0 };

/**
 * The watermark as it is laid over an image of the size `image`, which it never exceeds. Throws
 * `JobError` if its file is damaged.
 */
export async function renderWatermark(
  file: WorkFile,
  image: Size,
  { scale, opacity, angle }: WatermarkOptions,
  limits: FileLimits,
): Promise<Overlay> {
  const source = await openImage(file, limits, { firstPage: true });
  const size = fitInside(displayedSize(source), image, scale, angle);
  const first = await openFirstFrame(source);
  const resized = first
    .resize({ ...size, fit: "fill" })
    .toColorspace("srgb")
    .ensureAlpha();
  const { data } = await translateVipsErrors(resized.raw().toBuffer({ resolveWithObject: true }));
  const frame = { ...size, samples: data, hasAlpha: true };
  const turn = { mirrored: false, degrees: angle };
  const rotated = angle % 360 === 0 ? frame : rotateFrame(frame, turn, transparent);
  const { width, height } = rotated;
  // Samples of 8 bits.
  return { data: fade(Buffer.from(rotated.samples as Uint8Array), opacity), width, height };
}

/** The size before the rotation, after which it is at most as large as the image. */
function fitInside(watermark: Size, image: Size, scale: number, angle: number): Size {
  const width = image.width * scale;
  const wanted = { width, height: (width * watermark.height) / watermark.width };
  const needed = rotatedSize(wanted, angle);
  const shrink = Math.min(1, image.width / needed.width, image.height / needed.height);
  // Rotated sizes are rounded up by half a pixel at most.
  const round = (side: number) =>
    Math.max(1, shrink < 1 ? Math.floor(side * shrink) : Math.round(side));
  return { width: round(wanted.width), height: round(wanted.height) };
}

function fade(rgba: Buffer, opacity: number): Buffer {
  for (let index = 3; index < rgba.length; index += 4) {
    rgba[index] = Math.round((rgba[index] ?? 0) * opacity);
  }
  return rgba;
}
