import { loadSharp, type SourceImage, translateVipsErrors } from "./open.ts";
import { openFirstFrame } from "./upright.ts";

/** Finds the part of an image that a crop keeps. */

export const cropStrategies = ["entropy", "attention"] as const;

export type CropStrategy = (typeof cropStrategies)[number];

export function isCropStrategy(name: string): name is CropStrategy {
  return cropStrategies.some((strategy) => strategy === name);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Where `source`, scaled to `scaled` as it is displayed, is moved in a frame of `target`, which is
 * not larger: zero or negative pixels. Frames of animations move together, as the first one does.
 */
export async function findCrop(
  source: SourceImage,
  scaled: Size,
  target: Size,
  strategy: CropStrategy,
): Promise<{ left: number; top: number }> {
  const sharp = await loadSharp();
  const first = await openFirstFrame(source);
  const { width, height } = target;
  const cropped = first.resize({ width, height, fit: "cover", position: sharp.strategy[strategy] });
  const { info } = await translateVipsErrors(cropped.raw().toBuffer({ resolveWithObject: true }));
  return {
    left: clamp(info.cropOffsetLeft ?? 0, width - scaled.width),
    top: clamp(info.cropOffsetTop ?? 0, height - scaled.height),
  };
}

/** sharp may round the scaled size to one pixel more. */
function clamp(offset: number, lowest: number): number {
  return Math.min(0, Math.max(lowest, offset));
}
