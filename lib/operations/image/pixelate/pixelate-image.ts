import { type Box, clipBox, storageOf, toStoredBox } from "#lib/engines/image/box.ts";
import { displayedSize, type Sharp, type SourceImage } from "#lib/engines/image/open.ts";
import type { Samples } from "../../shared/image/blend-region.ts";
import { boundsOf, copySamples, readRegion, replaceRegion } from "../../shared/image/region.ts";
import { averageBlock } from "./average-block.ts";

/**
 * A pipeline of `source` with squares of `size` pixels, in all of it or in `regions` of the displayed
 * image. It keeps depth, color space, profile, orientation, alpha and all frames. Throws `JobError`:
 * `empty` if a region is outside of the image.
 */
export async function pixelateImage(
  source: SourceImage,
  size: number,
  regions: readonly Box[],
): Promise<Sharp> {
  const frame = displayedSize(source);
  const whole = { left: 0, top: 0, ...frame };
  const boxes = (regions.length === 0 ? [whole] : regions).map((region) =>
    toStoredBox(source, clipBox(region, frame)),
  );
  const bounds = boundsOf(boxes);
  const before = await readRegion(source, bounds);
  const after: Samples = { ...before, samples: copySamples(before.samples) };
  const { mirrorX, mirrorY } = storageOf(source);
  for (let page = 0; page < source.pages; page++) {
    for (const box of boxes) {
      const left = box.left - bounds.left;
      const top = page * bounds.height + box.top - bounds.top;
      // The squares start at the top left corner as it is displayed.
      for (const [y, height] of splitSide(box.height, size, mirrorY)) {
        for (const [x, width] of splitSide(box.width, size, mirrorX)) {
          const block = { left: left + x, top: top + y, width, height };
          averageBlock(after, bounds.width, block);
        }
      }
    }
  }
  return replaceRegion(source, bounds, before, after.samples);
}

/** Start and length of each part of a side: all of `size`, except for the last or the first one. */
function splitSide(
  side: number,
  size: number,
  fromEnd: boolean,
): [start: number, length: number][] {
  const rest = side % size;
  const parts: [number, number][] = [];
  let start = 0;
  while (start < side) {
    const isFirstRest = fromEnd && start === 0 && rest > 0;
    const length = isFirstRest ? rest : Math.min(size, side - start);
    parts.push([start, length]);
    start += length;
  }
  return parts;
}
