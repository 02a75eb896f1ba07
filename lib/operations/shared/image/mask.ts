import type { Box } from "#lib/engines/image/box.ts";
import { loadSharp, type SourceImage } from "#lib/engines/image/open.ts";
import type { Samples } from "./blend-region.ts";

/** An operand for sharp's `boolean`. */
export interface Mask {
  readonly input: Buffer;
  readonly options?: { raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };
}

/**
 * An image that contains `changes` at `box` in each frame of `source` and is zero elsewhere. It
 * ends at the last changed pixel; libvips treats missing pixels as zero. Pages of its memory that
 * stay zero are never written, so they use address space only.
 */
export async function buildXorMask(source: SourceImage, box: Box, changes: Samples): Promise<Mask> {
  const { samples, channels } = changes;
  const width = box.left + box.width;
  const height = (source.pages - 1) * source.height + box.top + box.height;
  if (coversRows(source, box)) return toMask(source, samples, { width, height, channels });
  const rowLength = box.width * channels;
  const is16Bit = samples instanceof Uint16Array;
  const canvas = is16Bit
    ? new Uint16Array(width * height * channels)
    : Buffer.alloc(width * height * channels);
  for (let row = 0; row < source.pages * box.height; row++) {
    const page = Math.floor(row / box.height);
    const y = page * source.height + box.top + (row % box.height);
    const start = (y * width + box.left) * channels;
    canvas.set(samples.subarray(row * rowLength, (row + 1) * rowLength), start);
  }
  return toMask(source, canvas, { width, height, channels });
}

/** Whether `changes` has the rows of all frames, without others between them. */
function coversRows(source: SourceImage, box: Box): boolean {
  const isWide = box.left === 0 && box.top === 0;
  return isWide && (source.pages === 1 || box.height === source.height);
}

async function toMask(
  source: SourceImage,
  samples: Uint8Array | Uint16Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): Promise<Mask> {
  if (source.space === "cmyk") return { input: await toCmykTiff(samples, width, height, channels) };
  // sharp detects the depth by the type of the array, but its type declarations allow only Buffer.
  const input = samples as Buffer;
  const options = { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } }; // 1, 3, or with alpha
  return { input, options };
}

/** sharp reads raw pixels with four channels as RGBA. A TIFF declares that they are CMYK. */
async function toCmykTiff(
  canvas: Uint8Array | Uint16Array,
  width: number,
  height: number,
  channels: number,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const planes = Array.from({ length: channels }, (_, channel) => {
    const plane = Buffer.alloc(width * height);
    for (let pixel = 0; pixel < plane.length; pixel++) {
      plane[pixel] = canvas[pixel * channels + channel] ?? 0;
    }
    return plane;
  });
  const raw = { width, height, channels: 1 } as const;
  const [first, ...others] = planes;
  return sharp(first, { raw })
    .joinChannel(others, { raw })
    .toColorspace("cmyk")
    .tiff({ compression: "none" })
    .toBuffer();
}
