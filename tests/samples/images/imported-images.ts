import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Sharp } from "sharp";
import type { Sample } from "#tests/support/operation.ts";
import { makeOnce } from "../media-files.ts";
import { toSample } from "./images.ts";

/** Images of types that sharp does not write, made by libvips' command line or byte by byte. */

/** Encodes an image with the system's libvips; `saver` is such as `heifsave --compression hevc`. */
export async function encodeWithVips(
  type: "heic" | "jxl" | "jp2",
  image: Sharp,
  ...options: string[]
): Promise<Sample> {
  const png = await image.keepMetadata().png().toBuffer();
  const source = await toSample("png", png);
  const saver = { heic: "heifsave", jxl: "jxlsave", jp2: "jp2ksave" }[type];
  const codec = type === "heic" ? ["--compression", "hevc"] : [];
  const encoded = await makeOnce([saver, ...codec, ...options, png], async (target) => {
    // sharp sets VIPSHOME, with which the other libvips does not find its modules.
    const command = ["-u", "VIPSHOME", "vips", saver];
    execFileSync("env", [...command, source.path, target, ...codec, ...options]);
  });
  // Some tests write tags to their sample.
  return toSample(type, readFileSync(encoded));
}

/** A BMP file of 24 bits per pixel, stored from bottom to top (BITMAPINFOHEADER). */
export async function makeBmp(image: Sharp): Promise<Sample> {
  return toSample("bmp", Buffer.concat([await bitmapFileHeader(image), await makeDib(image, 24)]));
}

async function bitmapFileHeader(image: Sharp): Promise<Buffer> {
  const dib = await makeDib(image, 24);
  const header = Buffer.alloc(14);
  header.write("BM");
  header.writeUInt32LE(14 + dib.length, 2);
  header.writeUInt32LE(14 + 40, 10);
  return header;
}

/** The header and pixels of a bitmap; `isIcon` doubles its height and adds the mask of an icon. */
async function makeDib(image: Sharp, bits: 24 | 32, isIcon = false): Promise<Buffer> {
  const channels = bits / 8;
  const shaped = bits === 32 ? image.clone().ensureAlpha() : image.clone().removeAlpha();
  const { data, info } = await shaped.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const stride = Math.ceil((width * channels) / 4) * 4;
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(isIcon ? height * 2 : height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(bits, 14);
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      const to = (height - 1 - y) * stride + x * channels;
      pixels[to] = data[from + 2] ?? 0;
      pixels[to + 1] = data[from + 1] ?? 0;
      pixels[to + 2] = data[from] ?? 0;
      if (channels === 4) pixels[to + 3] = data[from + 3] ?? 0;
    }
  }
  const mask = Buffer.alloc(isIcon ? Math.ceil(width / 32) * 4 * height : 0);
  return Buffer.concat([header, pixels, mask]);
}

/** An ICO file with these images in order; those of 256 pixels are stored as PNG, others as bitmaps. */
export async function makeIcon(images: readonly Sharp[]): Promise<Sample> {
  const entries: Buffer[] = [];
  const bodies: Buffer[] = [];
  let offset = 6 + 16 * images.length;
  for (const image of images) {
    const { width, height } = (await image.clone().png().toBuffer({ resolveWithObject: true }))
      .info;
    const body =
      width >= 256 ? await image.clone().png().toBuffer() : await makeDib(image, 32, true);
    const entry = Buffer.alloc(16);
    entry[0] = width & 255;
    entry[1] = height & 255;
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(body.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += body.length;
    entries.push(entry);
    bodies.push(body);
  }
  const header = Buffer.from([0, 0, 1, 0, images.length, 0]);
  return toSample("ico", Buffer.concat([header, ...entries, ...bodies]));
}

interface RawOptions {
  /** An embedded JPEG. */
  readonly preview?: Buffer;
  /** The EXIF orientation. */
  readonly orientation?: number;
}

/**
 * A DNG file (TIFF with a color filter array): `width`×`height` sensor pixels in the pattern RGGB, whose
 * left half is red and whose right half is blue.
 */
export async function makeDng(
  { preview, orientation = 1 }: RawOptions = {},
  width = 128,
  height = 96,
): Promise<Sample> {
  const sensor = Buffer.alloc(width * height * 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isRed = y % 2 === 0 && x % 2 === 0;
      const isBlue = y % 2 === 1 && x % 2 === 1;
      const lit = x < width / 2 ? isRed : isBlue;
      sensor.writeUInt16LE(lit ? 50_000 : 1500, (y * width + x) * 2);
    }
  }
  const matrix = [3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.204, 1.057];
  const raw: Tag[] = [
    [254, 4, [0]],
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, [16]],
    [259, 3, [1]],
    [262, 3, [32_803]],
    [271, 2, "Test\0"],
    [272, 2, "Camera\0"],
    [273, 4, [0]],
    [274, 3, [orientation]],
    [277, 3, [1]],
    [278, 4, [height]],
    [279, 4, [sensor.length]],
    [33_421, 3, [2, 2]],
    [33_422, 1, [0, 1, 1, 2]],
    [50_706, 1, [1, 4, 0, 0]],
    [50_708, 2, "Test Camera\0"],
    [50_717, 4, [65_535]],
    [50_721, 10, matrix.flatMap((value) => [Math.round(value * 10_000), 10_000])],
    [50_728, 5, [1, 1, 1, 1, 1, 1]],
    [50_778, 3, [21]],
  ];
  const previewTags: Tag[] = [
    [254, 4, [1]],
    [256, 4, [64]],
    [257, 4, [48]],
    [258, 3, [8, 8, 8]],
    [259, 3, [7]],
    [262, 3, [6]],
    [273, 4, [0]],
    [277, 3, [3]],
    [278, 4, [48]],
    [279, 4, [preview?.length ?? 0]],
  ];
  const bytes = writeTiff([
    { tags: raw, strip: sensor },
    ...(preview ? [{ tags: previewTags, strip: preview }] : []),
  ]);
  const sample = await toSample("dng", bytes);
  return { ...sample, filename: "photo.dng" };
}

/** A tag: number, type (1 byte, 2 text, 3 short, 4 long, 5 and 10 fractions) and values. */
type Tag = readonly [id: number, type: 1 | 2 | 3 | 4 | 5 | 10, values: readonly number[] | string];

interface Directory {
  readonly tags: readonly Tag[];
  readonly strip: Buffer;
}

const typeBytes = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 10: 4 } as const;

/** A little-endian TIFF; the second directory is a sub-directory (SubIFD) of the first. */
function writeTiff([main, sub]: readonly Directory[]): Buffer {
  if (!main) throw new Error("no directory");
  const chunks: Buffer[] = [Buffer.from("49492a0008000000", "hex")];
  let end = 8;
  const append = (bytes: Buffer) => {
    const at = end;
    chunks.push(bytes);
    end += bytes.length;
    return at;
  };
  const directorySize = (count: number) => 2 + count * 12 + 4;
  const mainTags: Tag[] = sub ? [...main.tags, [330, 4, [0]]] : [...main.tags];
  mainTags.sort(([one], [other]) => one - other);
  const mainAt = append(Buffer.alloc(directorySize(mainTags.length)));
  const write = (tags: readonly Tag[], strip: Buffer, subAt: number): Buffer => {
    const stripAt = append(strip);
    const directory = Buffer.alloc(directorySize(tags.length));
    directory.writeUInt16LE(tags.length, 0);
    for (const [index, [id, type, values]] of tags.entries()) {
      const replaced = id === 273 ? [stripAt] : id === 330 ? [subAt] : values;
      const bytes = encodeValues(type, replaced);
      const at = 2 + index * 12;
      directory.writeUInt16LE(id, at);
      directory.writeUInt16LE(type, at + 2);
      const count = bytes.length / typeBytes[type] / (type === 5 || type === 10 ? 2 : 1);
      directory.writeUInt32LE(count, at + 4);
      if (bytes.length <= 4) bytes.copy(directory, at + 8);
      else directory.writeUInt32LE(append(bytes), at + 8);
    }
    return directory;
  };
  let subAt = 0;
  if (sub) {
    const directory = write(sub.tags, sub.strip, 0);
    subAt = append(directory);
  }
  const directory = write(mainTags, main.strip, subAt);
  const file = Buffer.concat(chunks);
  directory.copy(file, mainAt);
  return file;
}

function encodeValues(type: keyof typeof typeBytes, values: readonly number[] | string): Buffer {
  if (typeof values === "string") return Buffer.from(values, "latin1");
  const size = typeBytes[type];
  const bytes = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) {
    if (size === 1) bytes.writeUInt8(value, index);
    else if (size === 2) bytes.writeUInt16LE(value, index * 2);
    else if (type === 10) bytes.writeInt32LE(value, index * 4);
    else bytes.writeUInt32LE(value, index * 4);
  }
  return bytes;
}
