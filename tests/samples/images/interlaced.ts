import type { Sample } from "#tests/support/operation.ts";
import { type Frame, makeVideo } from "../videos.ts";

/** An interlaced video, and how to see its fields in a frame. */

/**
 * Makes an MP4 of 0.4 s, 128 × 72, 25 frames/s: a white bar that moves by six pixels from field to
 * field, top field first.
 */
export function interlacedVideo(): Sample {
  const bar =
    "nullsrc=size=128x72:rate=50:duration=0.4,geq=lum='if(between(X,N*6,N*6+20),230,20)':cb=128:cr=128";
  const path = makeVideo(
    "mp4",
    "-f",
    "lavfi",
    "-i",
    bar,
    "-vf",
    "tinterlace=interleave_top,setfield=tff",
    "-flags",
    "+ildct+ilme",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-crf",
    "4",
    "-pix_fmt",
    "yuv420p",
    "-x264-params",
    "tff=1",
  );
  return { path, type: "mp4" };
}

/** How many pixels differ much from both rows around them, in the same direction. */
export function countCombs({ width, height, data }: Frame): number {
  const gray = (x: number, y: number) => data[(y * width + x) * 3 + 1] ?? 0;
  let combs = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 0; x < width; x++) {
      const above = gray(x, y) - gray(x, y - 1);
      const below = gray(x, y) - gray(x, y + 1);
      if (above * below > 5000) combs++;
    }
  }
  return combs;
}
