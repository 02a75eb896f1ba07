import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ReadResult } from "zxing-wasm/reader";
import {
  loadSharp,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import { nameCode } from "./code-names.ts";

/** Reads barcodes with ZXing (WebAssembly), in a worker. */

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface FoundCode {
  /** The type of the code, such as `qrcode` or `ean13`. */
  readonly type: string;
  readonly text: string;
  /** The box around the code, in whole pixels of the upright image. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** The corners of the code, clockwise from the one that is at its own top left. */
  readonly corners: readonly Point[];
}

/** Larger images are scaled down. A code of 100 modules then still has pixels enough in a photograph. */
const maxPixels = 16_000_000;

/** The search in rotated copies, which have corners in addition, is done in smaller ones. */
const maxRotatedPixels = 4_000_000;

/** Bars are found up to about 15° from an axis; squares at every angle. */
const angles = [0, 30, 60] as const;

const maxCodes = 255;

const options = {
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: maxCodes,
} as const;

type Reader = typeof import("zxing-wasm/reader");

let loaded: Promise<Reader> | undefined;

/** The reader, loaded once, with the WebAssembly of its package. By default, it would be fetched. */
function loadReader(): Promise<Reader> {
  loaded ??= import("zxing-wasm/reader").then(async (reader) => {
    const wasm = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
    const { buffer } = await readFile(wasm);
    reader.prepareZXingModule({ overrides: { wasmBinary: buffer } });
    return reader;
  });
  return loaded;
}

/** The codes in the first frame of `source`, from top to bottom. Throws `JobError`. */
export async function findCodes(source: SourceImage): Promise<FoundCode[]> {
  const { readBarcodes } = await loadReader();
  const gray = await readGray(source, maxPixels);
  const small = isLarger(gray, maxRotatedPixels) ? await readGray(source, maxRotatedPixels) : gray;
  const { width, orientation, height } = source;
  const uprightWidth = orientation >= 5 ? height : width;
  const found: FoundCode[] = [];
  for (const angle of angles) {
    const image = angle === 0 ? gray : small;
    const rotated = angle === 0 ? gray : await rotate(small, angle);
    for (const result of await readBarcodes(toImageData(rotated), options)) {
      if (!result.isValid || result.text === "") continue;
      const corners = toUpright(result.position, image, rotated, angle, uprightWidth / image.width);
      const code = toFoundCode(result, corners);
      // A rotated copy may show a part of a known code as another one.
      if (!found.some((known) => overlap(known.box, code.box))) found.push(code);
    }
  }
  found.sort((left, right) => left.box.top - right.box.top || left.box.left - right.box.left);
  return found.slice(0, maxCodes);
}

interface GrayPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

const isLarger = ({ width, height }: GrayPixels, pixels: number) => width * height > pixels;

/** The upright image on white, with at most about `pixels`. */
async function readGray(source: SourceImage, pixels: number): Promise<GrayPixels> {
  const scale = Math.min(1, Math.sqrt(pixels / (source.width * source.height)));
  const isTurned = source.orientation >= 5;
  const width = Math.round((isTurned ? source.height : source.width) * scale);
  const upright = source.toSrgb().autoOrient().flatten({ background: "#ffffff" });
  return readChannel(scale < 1 ? upright.resize({ width: Math.max(1, width) }) : upright);
}

async function rotate({ data, width, height }: GrayPixels, angle: number): Promise<GrayPixels> {
  const sharp = await loadSharp();
  const image = sharp(data, { raw: { width, height, channels: 1 } });
  return readChannel(image.rotate(angle, { background: "#ffffff" }));
}

async function readChannel(image: Sharp): Promise<GrayPixels> {
  const raw = image.toColorspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(raw);
  const { width, height, channels } = info;
  if (channels === 1) return { data, width, height };
  const gray = Buffer.alloc(width * height);
  for (let pixel = 0; pixel < gray.length; pixel++) gray[pixel] = data[pixel * channels] ?? 0;
  return { data: gray, width, height };
}

function toImageData({ data, width, height }: GrayPixels): ImageData {
  // Four bytes of the same value at once, in any byte order.
  const pixels = new Uint32Array(data.length);
  for (let pixel = 0; pixel < data.length; pixel++) pixels[pixel] = (data[pixel] ?? 0) * 0x01010101;
  return { data: new Uint8ClampedArray(pixels.buffer), width, height, colorSpace: "srgb" };
}

/** The corners in the upright image: `rotated` is `image` rotated by `angle` around its center. */
function toUpright(
  { topLeft, topRight, bottomRight, bottomLeft }: ReadResult["position"],
  image: GrayPixels,
  rotated: GrayPixels,
  angle: number,
  scale: number,
): Point[] {
  const cos = Math.cos((angle * Math.PI) / 180);
  const sin = Math.sin((angle * Math.PI) / 180);
  return [topLeft, topRight, bottomRight, bottomLeft].map((corner) => {
    const x = corner.x - rotated.width / 2;
    const y = corner.y - rotated.height / 2;
    return {
      x: Math.round((x * cos + y * sin + image.width / 2) * scale),
      y: Math.round((y * cos - x * sin + image.height / 2) * scale),
    };
  });
}

function toFoundCode(result: ReadResult, corners: readonly Point[]): FoundCode {
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  const right = Math.max(...corners.map(({ x }) => x));
  const bottom = Math.max(...corners.map(({ y }) => y));
  const box = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    width: Math.max(1, right - Math.max(0, left)),
    height: Math.max(1, bottom - Math.max(0, top)),
  };
  return { ...nameCode(result.format, result.text), box, corners };
}

/** Whether the center of one is in the other. */
function overlap(one: FoundCode["box"], other: FoundCode["box"]): boolean {
  const contains = (outer: typeof one, inner: typeof one) => {
    const x = inner.left + inner.width / 2;
    const y = inner.top + inner.height / 2;
    return (
      x >= outer.left &&
      x <= outer.left + outer.width &&
      y >= outer.top &&
      y <= outer.top + outer.height
    );
  };
  return contains(one, other) || contains(other, one);
}
