import { createRequire } from "node:module";
import sharp from "sharp";
import { readPixels } from "./images.ts";

/** Side of the squares of `makeFaceStrip`, in pixels. */
export const faceSquare = 400;

/**
 * A light gray strip of `squares` squares, with the photo of a person's face in those of `at`. The
 * photo is one of the package that the face detector's weights come with.
 */
export async function makeFaceStrip(squares: number, at: readonly number[]): Promise<Buffer> {
  const photo = createRequire(import.meta.url).resolve("@vladmandic/face-api/demo/sample6.jpg");
  const face = await sharp(photo)
    .extract({ left: 1380, top: 180, width: 460, height: 460 })
    .resize(faceSquare, faceSquare)
    .png()
    .toBuffer();
  const width = squares * faceSquare;
  const height = faceSquare;
  const background = "#d0d0d0";
  return sharp({ create: { width, height, channels: 3, background } })
    .composite(at.map((square) => ({ input: face, left: square * faceSquare, top: 0 })))
    .jpeg()
    .toBuffer();
}

/** Which part of an image, 0 to 1, is the gray of a strip without faces. */
export async function measureGray(path: string): Promise<number> {
  const { samples, channels } = await readPixels(path);
  const isGray = (at: number) =>
    [0, 1, 2].every((channel) => Math.abs((samples[at + channel] ?? 0) - 0xd0) <= 3);
  const starts = Array.from({ length: samples.length / channels }, (_, pixel) => pixel * channels);
  return starts.filter(isGray).length / starts.length;
}
