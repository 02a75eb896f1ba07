import { loadSharp } from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import type { PastedWatermark, PastePosition } from "../../plan/pixel-filters.ts";
import { maxPixels, roundToEven, type Size } from "../../plan/size.ts";
import { openSource } from "../pixels/open-source.ts";
import { readSamples, type Samples, withAlpha } from "../pixels/samples.ts";
import { composite } from "./composite.ts";

/** Pastes a watermark as thumbor does, in place. The picture must have an alpha channel. */
export async function pasteWatermark(
  picture: Samples,
  filter: PastedWatermark,
  path: string,
): Promise<void> {
  const mark = await readMark(path, filter, picture);
  for (const x of starts(filter.x, filter.y, picture, mark, "width")) {
    for (const y of starts(filter.y, filter.x, picture, mark, "height")) {
      composite(picture, mark, x, y);
    }
  }
}

async function readMark(
  path: string,
  { transparency, maxWidth, maxHeight }: PastedWatermark,
  picture: Size,
): Promise<Samples> {
  const source = await openSource(path);
  const samples = withAlpha(await readSamples(await source.open()));
  const { data, channels } = samples;
  const taken = Math.trunc((255 * transparency) / 100);
  for (let at = channels - 1; at < data.length; at += channels) {
    data[at] = Math.max(0, (data[at] ?? 0) - taken);
  }
  if (maxWidth === 0 && maxHeight === 0) return samples;
  const size = scaledSize(samples, picture.width * maxWidth, picture.height * maxHeight);
  if (size.width * size.height > maxPixels) {
    throw new JobError("too_complex", "The watermark would have too many pixels.");
  }
  const sharp = await loadSharp();
  const { width, height } = samples;
  const raw = { width, height, channels };
  return readSamples(sharp(data, { raw }).resize({ ...size, fit: "fill" }));
}

/** The largest size with the same ratio within the limits, of which one may be 0 for none. */
function scaledSize({ width, height }: Size, givenWidth: number, givenHeight: number): Size {
  const maxWidth = givenWidth || (width * givenHeight) / height;
  const maxHeight = givenHeight || (height * maxWidth) / width;
  const isWide = width / maxWidth >= height / maxHeight;
  const scaled = isWide
    ? { width: maxWidth, height: (height * maxWidth) / width }
    : { width: (width * maxHeight) / height, height: maxHeight };
  return { width: atLeastOne(scaled.width), height: atLeastOne(scaled.height) };
}

const atLeastOne = (side: number) => Math.max(1, roundToEven(side));

/** More copies in a picture than this are at most 6 in a row and in a column. */
const maxCopies = 100;
const fewCopies = 6;

/** The positions of the copies along a side. */
function starts(
  position: PastePosition,
  other: PastePosition,
  picture: Size,
  mark: Size,
  side: "width" | "height",
): number[] {
  const outer = picture[side];
  const inner = mark[side];
  if (position === "center") return [Math.trunc((outer - inner) / 2)];
  if (position !== "repeat") {
    const { offset, unit, fromEnd } = position;
    const pixels = unit === "px" ? offset : Math.round((outer * offset) / 100 + 1e-5);
    return [fromEnd ? outer - inner - pixels : pixels];
  }
  let { count, rest } = countCopies(outer, inner);
  if (other === "repeat") {
    const otherSide = side === "width" ? "height" : "width";
    const copies = count * countCopies(picture[otherSide], mark[otherSide]).count;
    if (copies > maxCopies) {
      count = Math.min(fewCopies, count);
      rest = outer - count * inner;
    }
  }
  const gap = Math.floor(rest / (Math.max(count, 2) - 1));
  return Array.from({ length: count }, (_, index) => index * (gap + inner));
}

/** How many copies a side has, and the pixels that they leave: the last one may be cut if it is the second. */
function countCopies(outer: number, inner: number): { count: number; rest: number } {
  if (outer / inner < 2) return { count: Math.ceil(outer / inner), rest: 10 };
  return { count: Math.floor(outer / inner), rest: outer % inner };
}
