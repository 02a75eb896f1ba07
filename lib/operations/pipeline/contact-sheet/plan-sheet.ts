import { displayedFrame, type VideoStream } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import type { SheetLayout } from "./draw-sheet.ts";

/** The largest gap between frames, as a share of the sheet's width. */
const gapShare = 0.006;

/** The smallest width of a frame in pixels. */
const minFrameWidth = 16;

/** The longest side of a JPEG that programs read without trouble, in pixels. */
const maxHeight = 32_767;

export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** The width of the whole sheet in pixels. */
  readonly width: number;
}

/** The width of each frame in a sheet, and the gap between frames; in pixels. */
export function divideWidth({ columns, width }: Pick<Grid, "columns" | "width">) {
  const gap = Math.max(2, Math.min(24, Math.round(width * gapShare)));
  return { gap, frameWidth: Math.floor((width - gap * (columns + 1)) / columns) };
}

/** Whether each frame is wide enough to show something. */
export function hasVisibleFrames(grid: Pick<Grid, "columns" | "width">): boolean {
  return divideWidth(grid).frameWidth >= minFrameWidth;
}

/**
 * Lays out frames of `video` in its own aspect ratio. Throws `JobError("too_complex")` if the sheet would
 * be too high, or have more than `maxPixels`.
 */
export function planSheet(grid: Grid, video: VideoStream, maxPixels: number): SheetLayout {
  const { columns, rows, width } = grid;
  const { gap, frameWidth } = divideWidth(grid);
  const source = displayedFrame(video);
  const frameHeight = Math.max(1, Math.round((frameWidth * source.height) / source.width));
  const height = rows * frameHeight + (rows + 1) * gap;
  if (height > maxHeight || width * height > maxPixels) {
    const message = `The contact sheet would have ${width} × ${height} pixels. Reduce \`width\` or \`rows\`.`;
    throw new JobError("too_complex", message);
  }
  const used = columns * frameWidth + (columns - 1) * gap;
  return {
    sheet: { width, height },
    frame: { width: frameWidth, height: frameHeight },
    columns,
    gap,
    left: Math.floor((width - used) / 2),
  };
}
