import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";

/** How a frame fits into a width and a height of another ratio; see the parameter `fit`. */
export type FrameFit = "cover" | "contain" | "fill" | "inside" | "outside";

export interface ResizedFrame {
  /** The size of the whole video, scaled. */
  readonly scaled: Frame;
  /** The size of the output: smaller if edges are cut off, larger if there is a border. */
  readonly frame: Frame;
}

/**
 * The size of a video of the size `source` that is fitted into `width` and `height`; if one of both
 * is missing, the ratio is kept. In pixels, not rounded.
 */
export function resizedFrame(
  source: Frame,
  width: number | undefined,
  height: number | undefined,
  fit: FrameFit,
): ResizedFrame {
  const wide = (width ?? 0) / source.width;
  const high = (height ?? 0) / source.height;
  if (width === undefined || height === undefined) return whole(source, Math.max(wide, high));
  const box = { width, height };
  const smaller = Math.min(wide, high);
  const larger = Math.max(wide, high);
  switch (fit) {
    case "fill":
      return { scaled: box, frame: box };
    case "inside":
      return whole(source, smaller);
    case "outside":
      return whole(source, larger);
    case "contain":
      return { scaled: scale(source, smaller), frame: box };
    case "cover":
      return { scaled: scale(source, larger), frame: box };
  }
}

function whole(source: Frame, factor: number): ResizedFrame {
  const scaled = scale(source, factor);
  return { scaled, frame: scaled };
}

function scale({ width, height }: Frame, factor: number): Frame {
  return { width: width * factor, height: height * factor };
}
