import { execFileSync, spawnSync } from "node:child_process";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { transformOf } from "#lib/media/transform.ts";
import { type Pixels, paintNoise, readPixels, toSample } from "#tests/samples/images.ts";
import { largestDifference } from "#tests/support/image-operation.ts";
import { decodeBlocks, unitSize } from "./decode-blocks.ts";
import { readJpegHeader } from "./read-header.ts";
import { transformJpegFile } from "./transform-file.ts";

/** EXIF orientations; the transform of each makes such an image upright. */
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

const swapsAxes = (orientation: number) => orientation >= 5;

type Encode = (image: Sharp) => Promise<Buffer>;

/** sharp has no way to choose other samplings than 4:4:4 and 4:2:0. */
const encodeWithFfmpeg =
  (format: string): Encode =>
  async (image) => {
    const flags = ["-v", "error", "-i", "pipe:0", "-pix_fmt", format, "-q:v", "4"];
    const output = ["-f", "mjpeg", "pipe:1"];
    return execFileSync("ffmpeg", [...flags, ...output], { input: await image.png().toBuffer() });
  };

/**
 * With the largest difference of pixels. Decoders round in three steps: between the columns and the rows
 * of a block, when they interpolate colors of fewer samples, and when they convert colors. If columns
 * are reversed or become rows, a value in the middle is rounded to the other side.
 */
const rows: readonly [string, Encode, number][] = [
  ["4:4:4", (image) => image.jpeg({ quality: 60, chromaSubsampling: "4:4:4" }).toBuffer(), 3],
  ["4:2:0", (image) => image.jpeg({ quality: 60 }).toBuffer(), 3],
  ["4:2:2", encodeWithFfmpeg("yuvj422p"), 3],
  ["gray", (image) => image.toColourspace("b-w").jpeg({ quality: 60 }).toBuffer(), 1],
  ["CMYK", (image) => image.withIccProfile("cmyk").jpeg({ quality: 60 }).toBuffer(), 1],
];

/** The pixels of `before` after the transform of `orientation`, moved by sharp. */
async function move({ samples, width, height, channels }: Pixels, orientation: number) {
  const raw = { width, height, channels: channels as 3 | 4 };
  const image = sharp(samples as Uint8Array, { raw });
  const turned = swapsAxes(orientation) ? image.rotate(90) : image;
  const upright = await turned.raw().toBuffer({ resolveWithObject: true });
  const again = sharp(upright.data, { raw: { ...upright.info, channels: raw.channels } });
  // After a rotation by 90°, which is that of orientation 6.
  const [flips, flops] = swapsAxes(orientation)
    ? [[7, 8].includes(orientation), [5, 8].includes(orientation)]
    : [[3, 4].includes(orientation), [2, 3].includes(orientation)];
  const { data, info } = await again.flip(flips).flop(flops).raw().toBuffer({
    resolveWithObject: true,
  });
  return { samples: data, ...info };
}

async function pixelsOf(file: Buffer): Promise<Pixels> {
  return readPixels((await toSample("jpeg", file)).path);
}

/** All coefficients, and the tables that they are multiplied with. */
function contentOf(file: Buffer) {
  const header = readJpegHeader(file);
  if (!header) throw new Error("not a sequential JPEG");
  const unit = unitSize(header);
  const box = {
    left: 0,
    top: 0,
    width: Math.ceil(header.width / unit.width),
    height: Math.ceil(header.height / unit.height),
  };
  const kept = header.segments.filter(({ marker }) => ![0xc4, 0xda, 0xdd].includes(marker));
  const segments = kept.map(({ marker, content }) => [marker, content.toString("hex")]);
  const blocks = decodeBlocks(file, header, box);
  if (!blocks) throw new Error("damaged");
  return { segments, blocks: Buffer.from(blocks.buffer) };
}

const transformFile = (file: Buffer, orientation: number) =>
  transformJpegFile(file, 1, transformOf(orientation));

describe.each(rows)("%s", (_, encode, tolerance) => {
  test.each(orientations)(
    "transform %i moves the pixels, its inverse moves them back",
    async (orientation) => {
      const file = await encode(await paintNoise(96, 64));
      const moved = transformFile(file, orientation);
      if (!moved) throw new Error("not transformed");
      const expected = await move(await pixelsOf(file), orientation);
      const difference = largestDifference(await pixelsOf(moved), expected);
      const isExact = orientation === 1 || orientation === 4;
      expect(difference).toBeLessThanOrEqual(isExact ? 0 : tolerance);
      // ffmpeg reads it without a warning.
      const flags = ["-v", "warning", "-i", "pipe:0", "-f", "null", "-"];
      expect(spawnSync("ffmpeg", flags, { input: moved }).stderr.toString()).toBe("");
      const inverse = { 6: 8, 8: 6 }[orientation] ?? orientation;
      const restored = transformFile(moved, inverse);
      if (!restored) throw new Error("not transformed");
      expect(contentOf(restored)).toEqual(contentOf(file));
      expect(contentOf(moved).blocks.equals(contentOf(file).blocks)).toBe(orientation === 1);
    },
  );
});

describe("a size that is no multiple of a block", () => {
  const paint = async (width: number, height: number, chromaSubsampling = "4:4:4") =>
    (await paintNoise(width, height)).jpeg({ quality: 60, chromaSubsampling }).toBuffer();

  test.each([
    [96, 61, [1, 2, 5, 8]],
    [90, 64, [1, 4, 5, 6]],
    [90, 61, [1, 5]],
  ])(
    "%i × %i: an axis with a partial block cannot be reversed",
    async (width, height, possible) => {
      const file = await paint(width, height);
      const done = orientations.filter((orientation) => transformFile(file, orientation));
      expect(done).toEqual(possible);
      for (const orientation of possible) {
        const moved = await pixelsOf(transformFile(file, orientation) ?? Buffer.alloc(0));
        expect(
          largestDifference(moved, await move(await pixelsOf(file), orientation)),
        ).toBeLessThan(4);
      }
    },
  );

  test("4:2:0 has units of 16 pixels", async () => {
    const file = await paint(88, 64, "4:2:0");
    expect(transformFile(file, 2)).toBeUndefined();
    expect(transformFile(file, 4)).toBeDefined();
  });
});

test("progressive and damaged files are left to the decoder", async () => {
  const image = await paintNoise(96, 64);
  expect(transformFile(await image.clone().jpeg({ progressive: true }).toBuffer(), 2)).toBe(
    undefined,
  );
  const file = await image.jpeg().toBuffer();
  for (const share of [0.02, 0.3, 0.9]) {
    const part = file.subarray(0, Math.floor(file.length * share));
    expect(transformFile(part, 6)).toBeUndefined();
  }
});

describe("segments", () => {
  const app = (number: number, content: string) => {
    const bytes = Buffer.from(content, "latin1");
    return Buffer.concat([Buffer.from([0xff, 0xe0 + number, 0, bytes.length + 2]), bytes]);
  };
  /** After SOI, before all others. */
  const paintWith = async (...segments: Buffer[]) => {
    const file = await (await paintNoise(96, 64)).jpeg().toBuffer();
    return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
  };
  const contents = (file: Buffer | undefined) =>
    readJpegHeader(file ?? Buffer.alloc(0))?.segments.map(({ content }) =>
      content.toString("latin1"),
    );

  test("lists of images that are not copied, and previews, are left out", async () => {
    const jfif = app(0, "JFIF\0\x01\x02\x01\0\xcc\0\x62\x01\x01abc");
    const file = await paintWith(jfif, app(0, "JFXX\0\x10abc"), app(2, "MPF\0abc"), app(5, "kept"));
    const found = contents(transformFile(file, 6));
    expect(found?.slice(0, 2)).toEqual(["JFIF\0\x01\x02\x01\0\x62\0\xcc\0\0", "kept"]);
    expect(contents(transformFile(file, 3))?.[0]).toBe("JFIF\0\x01\x02\x01\0\xcc\0\x62\0\0");
  });

  test("a file whose EXIF data has another orientation than was read is not transformed", async () => {
    const entry = "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    const exif = app(1, `Exif\0\0II\x2a\0\x08\0\0\0\x01\0${entry}\0\0\0\0`);
    const file = await paintWith(exif);
    expect(transformJpegFile(file, 1, transformOf(6))).toBeUndefined();
    const moved = contents(transformJpegFile(file, 6, transformOf(6)));
    expect(moved?.[0]).toContain("\x12\x01\x03\0\x01\0\0\0\x01\0\0\0");
    // The directory is outside of the data.
    const damaged = await paintWith(app(1, "Exif\0\0MM\0\x2a\x7f\xff\xff\xff"));
    expect(transformJpegFile(damaged, 1, transformOf(6))).toBeDefined();
  });
});
