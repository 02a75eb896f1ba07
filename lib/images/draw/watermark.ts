import { loadSharp, type OverlayOptions } from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import { placeInside, planGeometry, scaleOffset } from "../plan/geometry.ts";
import { centerGravity, defaultPlan, type Watermark } from "../plan/plan.ts";
import { type Box, maxPixels, roundToEven, type Size } from "../plan/size.ts";
import { openSource } from "./pixels/open-source.ts";
import { readSamples, type Samples } from "./pixels/samples.ts";

/**
 * The watermark of a picture of this size, in a worker: its image scaled, with its opacity, and its
 * place. Undefined if it is outside of the picture.
 */
export async function createWatermark(
  path: string,
  watermark: Watermark,
  picture: Size,
  dprScale: number,
): Promise<OverlayOptions | undefined> {
  const samples = await readWatermark(path, watermark.scale, picture);
  const { data, width, height, channels } = samples;
  for (let at = channels - 1; at < data.length; at += channels) {
    data[at] = Math.round((data[at] ?? 0) * watermark.opacity);
  }
  if (watermark.position === "re") {
    return toOverlay(repeat(samples, watermark, picture, dprScale), { left: 0, top: 0 });
  }
  const gravity = { ...centerGravity, type: watermark.position, x: watermark.x, y: watermark.y };
  const { left, top } = placeInside(picture, { width, height }, gravity, dprScale, true);
  const visible = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    width: Math.min(width + Math.min(0, left), picture.width - Math.max(0, left)),
    height: Math.min(height + Math.min(0, top), picture.height - Math.max(0, top)),
  };
  if (visible.width <= 0 || visible.height <= 0) return undefined;
  const place = { left: Math.max(0, left), top: Math.max(0, top) };
  return toOverlay(await extract(samples, visible), place);
}

/** The pixels of the watermark's image, upright and scaled, with transparency. */
async function readWatermark(path: string, scale: number, picture: Size): Promise<Samples> {
  const source = await openSource(path);
  const { image, width, height } = await upright(source);
  if (scale === 0) return readSamples(image);
  // As with imgproxy, the share is that of each side, and the watermark fits inside.
  const { scaled } = planGeometry(
    { width, height },
    {
      ...defaultPlan,
      width: Math.max(1, roundToEven(picture.width * scale)),
      height: Math.max(1, roundToEven(picture.height * scale)),
      enlarge: true,
    },
  );
  if (scaled.width * scaled.height > maxPixels) {
    throw new JobError("too_complex", "The watermark would have too many pixels.");
  }
  return readSamples(image.resize({ ...scaled, fit: "fill" }));
}

async function upright(source: Awaited<ReturnType<typeof openSource>>) {
  const { width, height, metadata } = source;
  const isTurned = (metadata.orientation ?? 1) >= 5;
  return {
    image: (await source.open()).autoOrient().ensureAlpha(),
    width: isTurned ? height : width,
    height: isTurned ? width : height,
  };
}

async function extract({ data, ...raw }: Samples, box: Box): Promise<Samples> {
  if (box.width === raw.width && box.height === raw.height) return { data, ...raw };
  const sharp = await loadSharp();
  return readSamples(sharp(data, { raw }).extract(box));
}

/** Pixels, because a worker decodes no image in memory. */
function toOverlay({ data, ...raw }: Samples, place: { left: number; top: number }) {
  return { input: data, raw, ...place };
}

/**
 * The watermark again and again, from the center of the picture outwards, with its offsets as gaps that
 * are half before and half after it.
 */
function repeat(
  { data, width, height, channels }: Samples,
  { x, y }: Watermark,
  picture: Size,
  dprScale: number,
): Samples {
  const gapX = Math.max(0, scaleOffset(x, picture.width, dprScale));
  const gapY = Math.max(0, scaleOffset(y, picture.height, dprScale));
  const columns = repeatedPositions(width, gapX, picture.width);
  const rows = repeatedPositions(height, gapY, picture.height);
  const rowBytes = picture.width * channels;
  const repeated = Buffer.alloc(picture.height * rowBytes);
  const drawn = new Map<number, number>();
  for (const [top, row] of rows.entries()) {
    if (row === undefined) continue;
    const start = top * rowBytes;
    const same = drawn.get(row);
    if (same === undefined) drawRow(repeated, start, data, row * width, columns, channels);
    else repeated.copyWithin(start, same, same + rowBytes);
    drawn.set(row, start);
  }
  return { data: repeated, ...picture, channels };
}

function drawRow(
  to: Buffer,
  start: number,
  from: Buffer,
  rowStart: number,
  columns: readonly (number | undefined)[],
  channels: number,
): void {
  for (const [left, column] of columns.entries()) {
    if (column === undefined) continue;
    for (let channel = 0; channel < channels; channel++) {
      to[start + left * channels + channel] = from[(rowStart + column) * channels + channel] ?? 0;
    }
  }
}

/** For each pixel of a side of the picture, that of the watermark. Undefined in a gap. */
function repeatedPositions(side: number, gap: number, whole: number): (number | undefined)[] {
  const period = side + gap;
  const before = Math.trunc(gap / 2);
  const centered = Math.ceil((whole - period) / 2);
  return Array.from({ length: whole }, (_, at) => {
    const inTile = (((at - centered) % period) + period) % period;
    return inTile >= before && inTile < before + side ? inTile - before : undefined;
  });
}
