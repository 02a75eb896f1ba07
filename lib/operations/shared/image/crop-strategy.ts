import { loadSharp, type SourceImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { openFirstFrame } from "#lib/engines/image/upright.ts";
import { chooseWindow } from "./faces/choose-window.ts";
import { detectFaces, type Face, searchedSide } from "./faces/detect-faces.ts";

/** Finds the part of an image that a crop keeps. */

export const cropStrategies = ["entropy", "attention", "face"] as const;

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
 * An image without faces is cropped by attention.
 */
export async function findCrop(
  source: SourceImage,
  scaled: Size,
  target: Size,
  strategy: CropStrategy,
): Promise<{ left: number; top: number }> {
  const window = strategy === "face" ? await findFaceWindow(source, scaled, target) : undefined;
  if (window) return { left: 0 - window.left, top: 0 - window.top };
  const sharp = await loadSharp();
  const first = await openFirstFrame(source);
  const { width, height } = target;
  const position = sharp.strategy[strategy === "entropy" ? "entropy" : "attention"];
  const cropped = first.resize({ width, height, fit: "cover", position });
  const { info } = await translateVipsErrors(cropped.raw().toBuffer({ resolveWithObject: true }));
  return {
    left: clamp(info.cropOffsetLeft ?? 0, width - scaled.width),
    top: clamp(info.cropOffsetTop ?? 0, height - scaled.height),
  };
}

/**
 * The top left corner of the window of `size` that shows most of the faces of `source`, scaled to
 * `scaled` as it is displayed. Undefined if there are none.
 */
export async function findFaceWindow(
  source: SourceImage,
  scaled: Size,
  size: Size,
): Promise<{ left: number; top: number } | undefined> {
  const faces = await findFaces(source);
  if (faces.length === 0) return undefined;
  const boxes = faces.map(({ left, top, width, height }) => ({
    left: left * scaled.width,
    top: top * scaled.height,
    width: width * scaled.width,
    height: height * scaled.height,
  }));
  return chooseWindow(boxes, scaled, size);
}

/** The faces in the first frame of an image, as it is displayed. */
export async function findFaces(source: SourceImage): Promise<Face[]> {
  const first = await openFirstFrame(source);
  const pixels = first
    .resize({ width: searchedSide, height: searchedSide, fit: "inside" })
    .flatten({ background: "#808080" })
    .toColorspace("srgb")
    .raw();
  const { data, info } = await translateVipsErrors(pixels.toBuffer({ resolveWithObject: true }));
  return detectFaces({ data, ...info });
}

/** sharp may round the scaled size to one pixel more. */
function clamp(offset: number, lowest: number): number {
  return Math.min(0, Math.max(lowest, offset));
}
