import {
  displayedFrame,
  type Frame,
  rotatedFrame,
  type VideoStream,
} from "#lib/engines/ffmpeg/video-frame.ts";

interface Region extends Frame {
  readonly left: number;
  readonly top: number;
}

/**
 * Filters that cut `region` out of upright frames, and the size of the result, whose sides are
 * multiples of `step`. Frames with pixels that are not square are scaled first.
 */
export function cropFilters(video: VideoStream, region: Region, step: 1 | 2, pixelFormat: string) {
  const { left, top } = region;
  const reduce = (side: number) => Math.max(step, side - (side % step));
  const frame = { width: reduce(region.width), height: reduce(region.height) };
  const { width, height } = displayedFrame(video);
  const isSquare = width === rotatedFrame(video).width;
  const filters = [
    ...(isSquare ? [] : [`scale=${width}:${height}`, "setsar=1"]),
    // With subsampled chroma, an odd offset would be rounded.
    ...((left | top | frame.width | frame.height) % 2 === 1
      ? [`format=${fullChroma(pixelFormat)}`]
      : []),
    `crop=${frame.width}:${frame.height}:${left}:${top}`,
  ];
  return { filters, frame };
}

/** Returns `format` with as many samples of chroma as of luma. */
function fullChroma(format: string): string {
  return format.replace(/^(yuvj?a?)4[0-4]{2}p/, "$1444p");
}
