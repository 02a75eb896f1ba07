import type { Transform } from "#lib/media/transform.ts";
import type { FramePixels } from "./frames.ts";

/** Each frame after `transform`. */
export function orientFrames(
  { width, height, pages, channels, samples }: FramePixels,
  { swapsAxes: swaps, reversesColumns: fromRight, reversesRows: fromBottom }: Transform,
): FramePixels {
  const size = swaps ? { width: height, height: width } : { width, height };
  const isWords = samples instanceof Uint16Array;
  const moved = isWords ? new Uint16Array(samples.length) : Buffer.alloc(samples.length);
  const rowLength = width * channels;
  // The steps in the stored frame to the next pixel of an upright row, and to the next upright row.
  const acrossStep = fromRight ? -channels : channels;
  const downStep = fromBottom ? -rowLength : rowLength;
  const [pixelStep, rowStep] = swaps ? [downStep, acrossStep] : [acrossStep, downStep];
  const first = (fromRight ? rowLength - channels : 0) + (fromBottom ? height - 1 : 0) * rowLength;
  let target = 0;
  for (let page = 0; page < pages; page++) {
    const start = page * height * rowLength + first;
    for (let y = 0; y < size.height; y++) {
      let from = start + y * rowStep;
      for (let x = 0; x < size.width; x++, from += pixelStep) {
        for (let channel = 0; channel < channels; channel++) {
          moved[target++] = samples[from + channel] ?? 0;
        }
      }
    }
  }
  return { ...size, pages, channels, samples: moved };
}
