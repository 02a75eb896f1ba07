import type { Box } from "./box.ts";
import { createTensor, type Tensor } from "./layers.ts";
import { anchors, cellSize, meanColor, runNetwork, valuesPerBox } from "./network.ts";

/**
 * Finds faces in images. Faces that are turned by more than about 60 degrees, upside down, mostly
 * covered, or shorter than a twentieth of the image's longer side are missed.
 */

/** A face from chin to forehead, in fractions of the image's width and height, with its score, 0 to 1. */
export interface Face extends Box {
  readonly score: number;
}

/** The longer side at which an image is searched, in pixels. A larger one finds smaller faces. */
export const searchedSide = 512;

/** Boxes with a lower score are no faces. */
const minimumScore = 0.5;

/** Of two boxes that overlap by more than this part of their common area, one is dropped. */
const maximumOverlap = 0.4;

/** 8-bit sRGB pixels without alpha, row by row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** The faces in an upright picture, those with the highest score first. */
export async function detectFaces(pixels: Pixels): Promise<Face[]> {
  const { width, height } = pixels;
  const output = await runNetwork(prepareInput(pixels));
  const found = readFaces(output).sort((one, other) => other.score - one.score);
  return dropOverlapping(found).map((face) => ({
    score: face.score,
    left: face.left / width,
    top: face.top / height,
    width: face.width / width,
    height: face.height / height,
  }));
}

/** The pixels, normalized, with a border in the mean color up to whole cells. */
function prepareInput({ data, width, height, channels }: Pixels): Tensor {
  const input = createTensor(roundUp(width), roundUp(height), 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const source = (y * width + x) * channels;
      const target = (y * input.width + x) * 3;
      for (const [channel, mean] of meanColor.entries()) {
        input.values[target + channel] = ((data[source + channel] ?? 0) - mean) / 255;
      }
    }
  }
  return input;
}

function roundUp(side: number): number {
  return Math.ceil(side / cellSize) * cellSize;
}

/** The boxes with a sufficient score, in pixels. */
function readFaces({ width, height, channels, values }: Tensor): Face[] {
  const faces: Face[] = [];
  for (let cell = 0; cell < width * height; cell++) {
    for (const [index, [anchorWidth, anchorHeight]] of anchors.entries()) {
      const start = cell * channels + index * valuesPerBox;
      const [x = 0, y = 0, w = 0, h = 0, logit = 0] = values.subarray(start, start + valuesPerBox);
      const score = sigmoid(logit);
      if (score < minimumScore) continue;
      const faceWidth = Math.exp(w) * anchorWidth * cellSize;
      const faceHeight = Math.exp(h) * anchorHeight * cellSize;
      faces.push({
        score,
        left: ((cell % width) + sigmoid(x)) * cellSize - faceWidth / 2,
        top: (Math.floor(cell / width) + sigmoid(y)) * cellSize - faceHeight / 2,
        width: faceWidth,
        height: faceHeight,
      });
    }
  }
  return faces;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Returns `faces`, the best first, without those that are on a better one. */
function dropOverlapping(faces: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of faces) {
    if (kept.every((better) => overlap(better, face) <= maximumOverlap)) kept.push(face);
  }
  return kept;
}

/** The common area of two boxes as a fraction of the area that either covers. */
function overlap(one: Box, other: Box): number {
  const right = Math.min(one.left + one.width, other.left + other.width);
  const bottom = Math.min(one.top + one.height, other.top + other.height);
  const width = Math.max(0, right - Math.max(one.left, other.left));
  const height = Math.max(0, bottom - Math.max(one.top, other.top));
  const common = width * height;
  return common / (one.width * one.height + other.width * other.height - common);
}
