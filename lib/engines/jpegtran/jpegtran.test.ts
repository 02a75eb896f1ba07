import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { readJpeg } from "#lib/formats/jpeg/jpeg-file.ts";
import { makeExcessiveJpeg } from "#tests/samples/images/image-bytes.ts";
import { type Pixels, paintNoise, readPixels, toSample } from "#tests/samples/images/images.ts";
import { largestDifference } from "#tests/support/image-operation.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";
import type { JpegChange } from "./jpeg-change.ts";
import { changeJpeg } from "./jpegtran.ts";

/** EXIF orientations; the move of each makes such an image upright. */
const orientations = [2, 3, 4, 5, 6, 7, 8];

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

const encodeWithSharp = (options = {}) => {
  return (image: Sharp) => image.jpeg({ quality: 60, ...options }).toBuffer();
};

const encodeAgain =
  (encode: Encode, ...options: string[]): Encode =>
  async (image) =>
    execFileSync("jpegtran", options, { input: await encode(image) });

/**
 * The changes, with the largest difference of pixels. Decoders round in three steps: between the
 * columns and the rows of a block, when they interpolate colors of fewer samples, and when they
 * convert colors. If columns are reversed or become rows, a value in the middle is rounded to the
 * other side.
 */
const rows: readonly [string, Encode, number][] = [
  ["4:4:4", encodeWithSharp({ chromaSubsampling: "4:4:4" }), 3],
  ["4:2:0", encodeWithSharp(), 3],
  ["4:2:2", encodeWithFfmpeg("yuvj422p"), 3],
  ["gray", (image) => encodeWithSharp()(image.toColourspace("b-w")), 1],
  ["CMYK", (image) => encodeWithSharp()(image.withIccProfile("cmyk")), 1],
  ["progressive", encodeWithSharp({ progressive: true }), 3],
  ["progressive gray", (image) => progressive(image.toColourspace("b-w")), 1],
  ["progressive CMYK", (image) => progressive(image.withIccProfile("cmyk")), 1],
  ["arithmetic codes", encodeAgain(encodeWithSharp(), "-arithmetic"), 3],
  ["progressive, arithmetic", encodeAgain(encodeWithSharp(), "-arithmetic", "-progressive"), 3],
  ["restart markers", encodeAgain(encodeWithSharp(), "-restart", "3B"), 3],
];

const progressive = encodeWithSharp({ progressive: true });

/** The pixels of `before` after the move of `orientation`, by sharp. */
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

/** All coefficients, and the tables that they are multiplied with, in the same codes for each file. */
const contentOf = (file: Buffer) =>
  execFileSync("jpegtran", ["-copy", "none", "-optimize"], { input: file });

async function change(file: Buffer, pixels: JpegChange["pixels"]): Promise<Buffer> {
  const work = temporaryWorkFolder();
  const output = work.output("jpg");
  await writeFile(output.path, file);
  const isProgressive = readJpeg(file)?.isProgressive ?? false;
  const { signal } = new AbortController();
  await changeJpeg(output, { pixels, isProgressive }, work, signal);
  return readFile(output.path);
}

/**
 * The moves that each file gets: all of them with two samplings, of which one changes when axes are swapped, and with
 * every other file one move that swaps the axes and one that does not.
 */
const rowsWithMoves = rows.map(([name, encode, tolerance], row) => {
  const isFull = name === "4:2:0" || name === "4:2:2";
  const chosen = isFull ? orientations : [2 + (row % 3), 5 + (row % 4)];
  const original = once(() => prepare(encode));
  const moves = chosen.map((orientation) => {
    const result = once(async () => change((await original()).file, { orientation }));
    return { orientation, result };
  });
  return { name, tolerance, original, moves };
});

async function prepare(encode: Encode) {
  const file = await encode(await paintNoise(96, 64));
  const pixels = await pixelsOf(file);
  return { file, pixels, content: contentOf(file), was: await sharp(file).metadata() };
}

/** Makes something when it is first needed, and again only if that has failed. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const moveTitle = "move $orientation moves the pixels, its inverse moves them back";

describe.each(rowsWithMoves)("$name", ({ tolerance, original, moves }) => {
  test.each(moves)(moveTitle, async ({ orientation, result }) => {
    const { pixels, content, was } = await original();
    const moved = await result();
    // Of noise, so that no other move is as near.
    const difference = largestDifference(await pixelsOf(moved), await move(pixels, orientation));
    expect(difference).toBeLessThanOrEqual(orientation === 4 ? 0 : tolerance);
    const is = await sharp(moved).metadata();
    const facts = ["space", "chromaSubsampling", "isProgressive", "density"] as const;
    for (const fact of facts) expect([fact, is[fact]]).toEqual([fact, was[fact]]);
    expect(is.icc).toEqual(was.icc);
    const restored = await change(moved, {
      orientation: { 6: 8, 8: 6 }[orientation] ?? orientation,
    });
    expect(contentOf(restored).equals(content)).toBe(true);
  });

  test("a box is cut out, with partial blocks at its edges", async () => {
    const { file } = await original();
    const box = { left: 16, top: 32, width: 53, height: 30 };
    const cut = await change(file, box);
    // Every second color is interpolated from pixels that may be outside of the box.
    const inner = { left: 2, top: 2, width: 49, height: 26 };
    const expected = { ...inner, left: 18, top: 34 };
    const extract = (image: Buffer, area: typeof inner) =>
      sharp(image).toColourspace("srgb").extract(area).raw().toBuffer();
    expect(await extract(cut, inner)).toEqual(await extract(file, expected));
    expect(await sharp(cut).metadata()).toMatchObject({ width: 53, height: 30 });
  });
});

test("every move is tested with several kinds of files", () => {
  for (const orientation of orientations) {
    const rowsOf = rowsWithMoves.filter(({ moves }) =>
      moves.some((one) => one.orientation === orientation),
    );
    expect(rowsOf.length).toBeGreaterThan(2);
  }
});

test("ffmpeg reads what was moved without a warning", async () => {
  const files: string[] = [];
  for (const { result } of rowsWithMoves.flatMap(({ moves }) => moves))
    files.push((await toSample("jpeg", await result())).path);
  const inputs = files.flatMap((path) => ["-i", path]);
  const outputs = files.flatMap((_path, index) => ["-map", `${index}`, "-f", "null", "-"]);
  const { status, stderr } = spawnSync("ffmpeg", ["-v", "warning", ...inputs, ...outputs]);
  expect([status, stderr.toString()]).toEqual([0, ""]);
});

test("a move that would leave a partial block inside of the image is a fault of the service", async () => {
  const file = await encodeWithSharp()(await paintNoise(90, 61));
  await expect(change(file, { orientation: 6 })).rejects.toMatchObject({ code: "engine_crashed" });
});

test("bytes between the pixels and the end do no harm", async () => {
  const file = await encodeWithSharp()(await paintNoise(96, 64));
  const padded = Buffer.concat([file.subarray(0, -2), Buffer.alloc(7), file.subarray(-2)]);
  const moved = await change(padded, { orientation: 6 });
  expect(moved.equals(await change(file, { orientation: 6 }))).toBe(true);
});

test("an image that is too large for the memory of a job", async () => {
  // 65,000 × 65,000 pixels of one color, and no data: jpegtran allocates all coefficients first.
  const file = await sharp({ create: { width: 16, height: 16, channels: 3, background: "#000" } })
    .jpeg()
    .toBuffer();
  const at = file.indexOf(Buffer.from([0xff, 0xc0]));
  file.writeUInt16BE(65_000, at + 5);
  file.writeUInt16BE(65_000, at + 7);
  await expect(change(file, { orientation: 5 })).rejects.toMatchObject({ code: "out_of_memory" });
});

test("a coefficient that is out of range makes the file corrupt", async () => {
  const file = makeExcessiveJpeg();
  await expect(sharp(file, { failOn: "warning" }).stats()).resolves.toBeDefined();
  await expect(change(file, { orientation: 2 })).rejects.toMatchObject({ code: "corrupt" });
});
