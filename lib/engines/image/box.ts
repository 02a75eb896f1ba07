import { JobError } from "#lib/errors.ts";
import type { SourceImage } from "./open.ts";

/** Boxes in an image, in whole pixels. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whether rows and columns are swapped, and then which axes are mirrored, by the EXIF orientation. */
const orientations = [
  { swap: false, mirrorX: false, mirrorY: false },
  { swap: false, mirrorX: true, mirrorY: false },
  { swap: false, mirrorX: true, mirrorY: true },
  { swap: false, mirrorX: false, mirrorY: true },
  { swap: true, mirrorX: false, mirrorY: false },
  { swap: true, mirrorX: false, mirrorY: true },
  { swap: true, mirrorX: true, mirrorY: true },
  { swap: true, mirrorX: true, mirrorY: false },
] as const;

/** How the stored pixels of `source` differ from those that are displayed. */
export function storageOf({ orientation }: Pick<SourceImage, "orientation">) {
  return orientations[orientation - 1] ?? orientations[0];
}

/** Where `box` of the displayed image is in the rows and columns of the file. */
export function toStoredBox(source: SourceImage, box: Box): Box {
  const { swap, mirrorX, mirrorY } = storageOf(source);
  const width = swap ? box.height : box.width;
  const height = swap ? box.width : box.height;
  const left = swap ? box.top : box.left;
  const top = swap ? box.left : box.top;
  return {
    left: mirrorX ? source.width - left - width : left,
    top: mirrorY ? source.height - top - height : top,
    width,
    height,
  };
}

/** The inverse of `toStoredBox`. */
export function fromStoredBox(source: SourceImage, box: Box): Box {
  const { swap, mirrorX, mirrorY } = storageOf(source);
  const left = mirrorX ? source.width - box.left - box.width : box.left;
  const top = mirrorY ? source.height - box.top - box.height : box.top;
  return swap
    ? { left: top, top: left, width: box.height, height: box.width }
    : { left, top, width: box.width, height: box.height };
}

/** The part of `box` that is inside a frame of `size`. Throws `JobError`: `empty` if there is none. */
export function clipBox(box: Box, { width, height }: Size): Box {
  const left = Math.max(0, box.left);
  const top = Math.max(0, box.top);
  const right = Math.min(width, box.left + box.width);
  const bottom = Math.min(height, box.top + box.height);
  if (right <= left || bottom <= top) {
    throw new JobError("empty", `The box is outside of the image, which is ${width} × ${height}.`);
  }
  return { left, top, width: right - left, height: bottom - top };
}

export function coversFrame(box: Size, { width, height }: Size): boolean {
  return box.width === width && box.height === height;
}
