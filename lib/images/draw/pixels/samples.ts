import { type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";

/** Pixels with 8 bits a channel, in sRGB, with the channels of a pixel together. */
export interface Samples {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Computes the pixels of an image, in a worker. */
export async function readSamples(image: Sharp): Promise<Samples> {
  const computed = image.toColorspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(computed);
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** The same pixels with red, green and blue, if they were gray. */
export function toColors({ data, width, height, channels }: Samples): Samples {
  if (channels > 2) return { data, width, height, channels };
  const colored: 3 | 4 = channels === 1 ? 3 : 4;
  const result = Buffer.alloc(width * height * colored);
  for (let from = 0, to = 0; from < data.length; from += channels, to += colored) {
    const gray = data[from] ?? 0;
    result[to] = gray;
    result[to + 1] = gray;
    result[to + 2] = gray;
    if (colored === 4) result[to + 3] = data[from + 1] ?? 0;
  }
  return { data: result, width, height, channels: colored };
}

/** The same pixels with red, green, blue and alpha. */
export function withAlpha(samples: Samples): Samples {
  const { data, width, height, channels } = toColors(samples);
  if (channels === 4) return { data, width, height, channels };
  const result = Buffer.alloc(width * height * 4, 255);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    result[to] = data[from] ?? 0;
    result[to + 1] = data[from + 1] ?? 0;
    result[to + 2] = data[from + 2] ?? 0;
  }
  return { data: result, width, height, channels: 4 };
}

/** Whether no pixel is transparent. */
export function isOpaque({ data, channels }: Samples): boolean {
  if (channels === 1 || channels === 3) return true;
  for (let at = channels - 1; at < data.length; at += channels) {
    if (data[at] !== 255) return false;
  }
  return true;
}
