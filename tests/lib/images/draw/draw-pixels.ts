import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { drawPicture } from "#lib/images/draw/worker-functions.ts";
import { defaultPlan, type ImagePlan } from "#lib/images/plan/plan.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** The pixels of a picture. */
export interface DrawnPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** All samples, row by row. */
  readonly samples: readonly number[];
  /** The samples of the pixel in this column and row. */
  readonly at: (x: number, y: number) => number[];
  /** One letter for each pixel, a line for each row. */
  readonly letters: (letterOf: (pixel: readonly number[]) => string) => string[];
}

/** An image of one color, such as `#ff0000`. */
export function paintPlain(width: number, height: number, background: string): Sharp {
  const channels = background.length > 7 ? 4 : 3;
  return sharp({ create: { width, height, channels, background } });
}

/** An image with these samples, row by row. */
export function paintSamples(
  width: number,
  height: number,
  channels: 1 | 2 | 3 | 4,
  samples: readonly number[],
): Sharp {
  return sharp(Uint8Array.from(samples), { raw: { width, height, channels } });
}

/** Draws a picture as a media runner does, in a sandboxed worker, as PNG. */
export async function drawPixels(
  plan: Partial<ImagePlan>,
  source: Sharp,
  ...watermarks: readonly Sharp[]
): Promise<DrawnPixels> {
  const work = temporaryWorkFolder();
  const images = [source, ...watermarks];
  const files = await Promise.all(
    images.map(async (image) => {
      const file = work.input("png");
      await writeFile(file.path, await image.png().toBuffer());
      return file;
    }),
  );
  const { outputs } = await callInWorker(drawPicture, {
    files,
    options: {
      plan: { ...defaultPlan, format: "png", ...plan },
      preferred: [],
    },
    work,
    signal: new AbortController().signal,
  });
  const { data, info } = await sharp(outputs[0]?.path).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number, y: number) => {
    const start = (y * width + x) * channels;
    return [...data.subarray(start, start + channels)];
  };
  const letters = (letterOf: (pixel: readonly number[]) => string) =>
    Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => letterOf(at(x, y))).join(""),
    );
  return { width, height, channels, samples: [...data], at, letters };
}
