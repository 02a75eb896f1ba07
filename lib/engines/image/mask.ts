import type { Samples } from "./blend-region.ts";
import type { Box } from "./composite.ts";
import { loadSharp, type SourceImage } from "./open.ts";

/** An operand for sharp's `boolean`. */
export interface Mask {
  readonly input: Buffer;
  readonly options?: { raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };
}

/**
 * A picture that is zero but for `changes`, which lie at `box` in each frame of `source`. It reaches
 * from the top left to the last changed pixel; libvips takes what is missing beyond as zero. Its
 * untouched memory is never written, so that it costs address space and little else.
 */
export async function buildMask(source: SourceImage, box: Box, changes: Samples): Promise<Mask> {
  const { samples, channels } = changes;
  const width = box.left + box.width;
  const height = (source.pages - 1) * source.height + box.top + box.height;
  const words = samples instanceof Uint16Array;
  const canvas = words
    ? new Uint16Array(width * height * channels)
    : Buffer.alloc(width * height * channels);
  const rowLength = box.width * channels;
  for (let row = 0; row < source.pages * box.height; row++) {
    const page = Math.floor(row / box.height);
    const y = page * source.height + box.top + (row % box.height);
    const start = (y * width + box.left) * channels;
    canvas.set(samples.subarray(row * rowLength, (row + 1) * rowLength), start);
  }
  if (source.space === "cmyk") return { input: await toInkPlanes(canvas, width, height, channels) };
  // sharp's types know only of Buffer; it tells the depth of raw pixels by the array's own type.
  const input = canvas as Buffer;
  const options = { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } }; // 1, 3, or with alpha
  return { input, options };
}

/** Raw pixels of four channels would be taken for RGB with alpha; a TIFF says that they are CMYK. */
async function toInkPlanes(
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
    .toColourspace("cmyk")
    .tiff({ compression: "none" })
    .toBuffer();
}
