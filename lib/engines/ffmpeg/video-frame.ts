import { type MediaStream, toNumber } from "./media-info.ts";

/** A frame as it is shown, after rotation. */
export interface Frame {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A video stream whose size is known. */
export type Film = MediaStream & Frame;

/** The frame of `video` after rotation, and how many times wider than high one of its pixels is shown. */
export function filmFrame(video: Film): Frame & { pixelAspect: number } {
  const { width, height } = video;
  const aspect = toNumber(video.sampleAspectRatio) || 1;
  // Beyond this an aspect ratio is a damaged header and no screen's.
  const pixelAspect = aspect >= 0.1 && aspect <= 10 ? aspect : 1;
  if (video.rotation === 90 || video.rotation === 270) {
    return { width: height, height: width, pixelAspect: 1 / pixelAspect };
  }
  return { width, height, pixelAspect };
}

/** The frame of `video` in square pixels: what a viewer measures. */
export function shownFrame(video: Film): Frame {
  const { width, height, pixelAspect } = filmFrame(video);
  return { width: Math.max(1, Math.round(width * pixelAspect)), height };
}

/** `frame` with its sides rounded up to what 4:2:0 H.264 can hold. */
export function evenFrame({ width, height }: Frame): Frame {
  return { width: width + (width % 2), height: height + (height % 2) };
}

/**
 * Filters that bring every frame, whatever size it comes in, to `frame`, and pad that to `target` by
 * repeating the last column and row. `range` is `tv` or `pc`.
 */
export function fitFilters(
  frame: Frame,
  target: Frame,
  pixelFormat: string,
  range: "tv" | "pc",
): string[] {
  const fit = `scale=${frame.width}:${frame.height}:out_range=${range}`;
  const [right, bottom] = [target.width - frame.width, target.height - frame.height];
  if (right + bottom === 0) return [fit, `format=${pixelFormat}`];
  // With subsampled chroma a half pixel could not be padded.
  const pad = [
    `pad=${target.width}:${target.height}`,
    `fillborders=right=${right}:bottom=${bottom}:mode=smear`,
  ];
  return [fit, "format=yuv444p", ...pad, `format=${pixelFormat}`];
}
