import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { type DecodedBitmap, decodeBmp, decodeIconBitmap } from "#lib/formats/bitmap/decode.ts";
import { largestEntry, readLargestIcon } from "#lib/formats/bitmap/icon.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import { cpuSeconds } from "#tests/support/processes.ts";

/** The decoder of BMP and ICO files, compared with ImageMagick on files that ImageMagick wrote. */

/** Files by kind: their name for ImageMagick, and its options. */
const kinds = {
  "BMP of 24 bits": ["BMP:24.bmp", "-type", "TrueColor"],
  "BMP of 24 bits, BITMAPINFOHEADER": ["BMP3:24-3.bmp", "-type", "TrueColor"],
  "BMP of 24 bits, BITMAPCOREHEADER": ["BMP2:24-2.bmp", "-type", "TrueColor"],
  "BMP of 8 bits": ["BMP3:8.bmp", "-colors", "200", "-type", "Palette", "-compress", "None"],
  "BMP of 8 bits, BITMAPCOREHEADER": ["BMP2:8-2.bmp", "-colors", "200", "-type", "Palette"],
  "BMP of 8 bits in runs": [
    "BMP3:8-rle.bmp",
    "-colors",
    "12",
    "-type",
    "Palette",
    "-compress",
    "RLE",
  ],
  "BMP of 4 bits": ["BMP3:4.bmp", "-colors", "16", "-type", "Palette", "-compress", "None"],
  "BMP of 1 bit": ["BMP3:1.bmp", "-monochrome", "-type", "Bilevel", "-compress", "None"],
  "BMP of 16 bits, 565": ["BMP:565.bmp", "-define", "bmp:subtype=RGB565"],
  "BMP of 16 bits, 555": ["BMP:555.bmp", "-define", "bmp:subtype=RGB555"],
  "BMP of 32 bits with alpha": [
    "BMP:32.bmp",
    "-alpha",
    "set",
    "-channel",
    "A",
    "-fx",
    "i/w",
    "+channel",
  ],
  "ICO of 32 bits": ["ICO:32.ico", "-alpha", "set", "-channel", "A", "-fx", "i/w", "+channel"],
  "ICO of 8 bits with a mask": ["ICO:8.ico", "-colors", "200", "-type", "Palette"],
  "ICO of 1 bit with a mask": ["ICO:1.ico", "-monochrome"],
} as const;

type Kind = keyof typeof kinds;

let folder: string;

/** ImageMagick writes all files in one run, and decodes them in a second one. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-bitmap-"));
  // 37 × 23 pixels, so that rows end in the middle of bytes.
  const picture = ["-seed", "7", "-size", "37x23", "plasma:fractal", "-depth", "8"];
  const files = Object.values(kinds);
  const written = files.flatMap(([name, ...options]) => [
    "(",
    "+clone",
    ...options,
    "-write",
    name,
    "+delete",
    ")",
  ]);
  const decoded = files.flatMap(([name]) => {
    const file = name.replace(/^.*:/, "");
    return ["(", file, "-depth", "8", "-write", `rgba:${file}.rgba`, ")", "-delete", "0--1"];
  });
  execFileSync("convert", [...picture, ...written, "null:"], { cwd: folder });
  execFileSync("convert", [...decoded, "xc:none", "null:"], { cwd: folder });
  return () => rmSync(folder, { recursive: true });
});

/** The file of a kind, and its pixels as ImageMagick reads them. */
function read(kind: Kind) {
  const path = join(folder, kinds[kind][0].replace(/^.*:/, ""));
  return { file: readFileSync(path), rgba: readFileSync(`${path}.rgba`) };
}

const difference = (left: Buffer, right: Buffer) =>
  left.reduce((most, value, at) => Math.max(most, Math.abs(value - (right[at] ?? 0))), 0);

// Object.keys types the keys as text.
describe.each(Object.keys(kinds) as Kind[])("%s", (kind) => {
  it("has the pixels that ImageMagick reads", () => {
    const { file, rgba } = read(kind);
    const decoded = kind.startsWith("ICO")
      ? decodeIconBitmap(readLargestIcon(file).bytes, widestLimits)
      : decodeBmp(file, widestLimits);
    expect([decoded.width, decoded.height, decoded.rgba.length]).toEqual([37, 23, rgba.length]);
    // Five and six bits are rounded differently.
    expect(difference(decoded.rgba, rgba)).toBeLessThanOrEqual(kind.includes("16") ? 1 : 0);
  });
});

it("the largest image of an icon is taken, also if it is a PNG", async () => {
  const png = await sharp({ create: { width: 256, height: 256, channels: 4, background: "#f008" } })
    .png()
    .toBuffer();
  const entry = (side: number, bits: number, length: number, offset: number) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt8(side & 255, 0);
    bytes.writeUInt8(side & 255, 1);
    bytes.writeUInt16LE(bits, 6);
    bytes.writeUInt32LE(length, 8);
    bytes.writeUInt32LE(offset, 12);
    return bytes;
  };
  const file = Buffer.concat([
    Buffer.from([0, 0, 1, 0, 2, 0]),
    entry(48, 32, 40, 38),
    entry(256, 32, png.length, 78),
    Buffer.alloc(40),
    png,
  ]);
  expect(largestEntry(file)).toBe(1);
  expect(readLargestIcon(file)).toEqual({ kind: "png", bytes: png });
});

/** A BMP of 8 bits with four colors: red, green, blue, white. */
function makeBmp8(width: number, height: number, data: Buffer, compression = 0, bits = 8): Buffer {
  const palette = Buffer.from("0000ff0000ff0000ff000000ffffff00", "hex");
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54 + palette.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  header.writeUInt32LE(4, 46);
  return Buffer.concat([header, palette, data]);
}

/** The indexes of the colors, row by row from the top. */
function indexesOf({ rgba, width }: DecodedBitmap): string[] {
  const colors = ["ff0000", "00ff00", "0000ff", "ffffff"];
  const pixels = Array.from({ length: rgba.length / 4 }, (_, at) =>
    colors.indexOf(rgba.toString("hex", at * 4, at * 4 + 3)),
  ).join("");
  return pixels.match(new RegExp(`.{${width}}`, "g")) ?? [];
}

describe("by hand:", () => {
  it("rows from top to bottom have a negative height", () => {
    const rows = Buffer.from("0001020003020100", "hex");
    expect(indexesOf(decodeBmp(makeBmp8(3, -2, rows), widestLimits))).toEqual(["012", "321"]);
    expect(indexesOf(decodeBmp(makeBmp8(3, 2, rows), widestLimits))).toEqual(["321", "012"]);
  });

  it("runs of 8 bits: a run, literal pixels, a jump, and the end", () => {
    const runs = Buffer.from("0301" + "0000" + "00030102030000020100" + "0103" + "0001", "hex");
    expect(indexesOf(decodeBmp(makeBmp8(5, 3, runs, 1), widestLimits))).toEqual(
      ["00000", "12303", "11100"].map((row) => row),
    );
  });

  it("runs of 4 bits alternate between two colors", () => {
    const runs = Buffer.from("0512" + "0000" + "00031230" + "0001", "hex");
    expect(indexesOf(decodeBmp(makeBmp8(5, 2, runs, 2, 4), widestLimits))).toEqual([
      "12300",
      "12121",
    ]);
  });

  it("runs that leave the image are cut off", () => {
    const runs = Buffer.from("ff02" + "ff03" + "00020000" + "0000" + "0203" + "0002ffff", "hex");
    expect(indexesOf(decodeBmp(makeBmp8(4, 2, runs, 1), widestLimits))).toEqual(["3300", "2222"]);
  });

  it("alpha that is 0 everywhere is no alpha", () => {
    const bmp = makeBmp8(1, 1, Buffer.from("0a141e00", "hex"), 0, 32);
    bmp.writeUInt32LE(0, 46);
    bmp.writeUInt32LE(70, 10);
    expect(decodeBmp(bmp, widestLimits)).toMatchObject({
      hasAlpha: false,
      rgba: Buffer.from("1e140aff", "hex"),
    });
  });
});

describe("a damaged file is refused at once:", () => {
  const sound = () => makeBmp8(4, 2, Buffer.alloc(8));
  const change = (offset: number, value: number) => {
    const bytes = sound();
    bytes.writeInt32LE(value, offset);
    return bytes;
  };
  const runs = (hex: string, height = 2) => makeBmp8(4, height, Buffer.from(hex, "hex"), 1);
  it.each<[string, Buffer, string]>([
    ["an empty file", Buffer.alloc(0), "corrupt"],
    ["only a signature", Buffer.from("BM"), "corrupt"],
    ["no pixels", sound().subarray(0, 70), "corrupt"],
    ["a missing row", sound().subarray(0, 75), "corrupt"],
    ["an unknown header", change(14, 41), "corrupt"],
    ["a header longer than the file", sound().subarray(0, 40), "corrupt"],
    ["no width", change(18, 0), "corrupt"],
    ["a negative width", change(18, -4), "corrupt"],
    ["the lowest height", change(22, -(2 ** 31)), "corrupt"],
    ["a size of 2³¹ × 2", change(18, 2 ** 31 - 1), "too_complex"],
    ["a height of 2³¹", change(22, 2 ** 31 - 1), "too_complex"],
    ["a depth of 7", change(28, 7), "corrupt"],
    ["an unknown compression", change(30, 4), "corrupt"],
    ["runs of another depth", change(30, 2), "corrupt"],
    ["pixels outside of the file", change(10, 2 ** 31 - 1), "corrupt"],
    ["runs without an end", runs("0401"), "corrupt"],
    ["half a jump", runs("000201"), "corrupt"],
    ["literal pixels beyond the end", runs("00ff0102"), "corrupt"],
  ])("%s", (_, bytes, code) => {
    // The smallest 32-bit height has more pixels than any limit or no rows at all.
    const codes = code === "corrupt" ? ["corrupt", "too_complex"] : [code];
    const failure = (() => {
      try {
        decodeBmp(bytes, widestLimits);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(failure).toBeInstanceOf(JobError);
    expect(codes).toContain(failure instanceof JobError && failure.code);
  });

  it("icons without an image", () => {
    for (const hex of [
      "",
      "000001000100",
      "0000010001002020000001002000ffffff7f16000000".slice(0, 40),
    ]) {
      expect(() => readLargestIcon(Buffer.from(hex, "hex"))).toThrow(JobError);
    }
  });

  it("any bytes, in little time", () => {
    const start = cpuSeconds();
    const { file } = read("BMP of 8 bits in runs");
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const bytes = Buffer.from(
        file.subarray(0, random(4) === 0 ? random(file.length) : file.length),
      );
      for (let count = 0; count < 4 && bytes.length > 0; count++) {
        bytes[random(round % 2 ? Math.min(bytes.length, 60) : bytes.length)] = random(256);
      }
      try {
        const limits = { ...widestLimits, imagePixels: 10_000 };
        const { rgba, width, height } = decodeBmp(bytes, limits);
        expect(rgba.length).toBe(width * height * 4);
      } catch (error) {
        expect(error).toBeInstanceOf(JobError);
      }
    }
    expect(cpuSeconds() - start).toBeLessThan(10);
  });
});
