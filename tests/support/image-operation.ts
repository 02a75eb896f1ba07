import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { makeTestImage, type Pixels, readPixels, toSample } from "../samples/images/images.ts";
import { runOperation, type Sample } from "./operation.ts";

/**
 * Tests that each operation on images passes: formats, EXIF orientations, animations, damage. How all
 * formats are opened and saved is the same code for each operation, in `lib/engines/image`, and is tested
 * there with every image; an operation gets the few that show that it uses that code.
 */

interface Checked {
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  /** The size of the result for an image of 120 × 80 pixels; by default the same. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether the operation makes images transparent that are not. */
  readonly addsAlpha?: boolean;
  /** How far a sample may differ, of 255, between images that are displayed alike. */
  readonly tolerance?: number;
}

export const testSize = { width: 120, height: 80 };

const paint = (options = {}) => makeTestImage({ ...testSize, ...options });

/** Images of 120 × 80 pixels in each format, with each depth, color space and kind of transparency. */
export const imageRows: readonly [string, MediaTypeId, () => Sharp | Promise<Sharp>][] = [
  ["JPEG", "jpeg", () => paint().jpeg({ quality: 95 })],
  ["progressive JPEG", "jpeg", () => paint().jpeg({ quality: 95, progressive: true })],
  ["gray JPEG", "jpeg", () => paint({ channels: 1 }).jpeg()],
  ["CMYK JPEG", "jpeg", () => paint().withIccProfile("cmyk").jpeg()],
  ["gray PNG with alpha", "png", () => paint({ channels: 2 }).png()],
  ["16-bit PNG with alpha", "png", () => paint({ channels: 4, bits: 16 }).png()],
  ["16-bit gray PNG", "png", () => paint({ channels: 1, bits: 16 }).png()],
  ["wide-gamut PNG", "png", () => paint().withIccProfile("p3").png()],
  ["WebP", "webp", () => paint().webp()],
  ["lossless WebP with alpha", "webp", () => paint({ channels: 4 }).webp({ lossless: true })],
  ["AVIF", "avif", () => paint().avif({ effort: 2 })],
  ["10-bit AVIF", "avif", () => paint({ bits: 16 }).avif({ effort: 2, bitdepth: 10 })],
  ["16-bit TIFF", "tiff", () => paint({ bits: 16 }).tiff({ compression: "lzw" })],
  ["CMYK TIFF", "tiff", () => paint().withIccProfile("cmyk").tiff({ compression: "lzw" })],
  ["GIF", "gif", () => paint().gif()],
];

/** The depth, alpha, inks and profile that an operation loses if it reads pixels on its own. */
export const fewImageRows = imageRows.filter(([name]) =>
  ["CMYK JPEG", "16-bit PNG with alpha", "wide-gamut PNG"].includes(name),
);

export async function runOnImage(
  { operation, params }: Pick<Checked, "operation" | "params">,
  sample: Sample,
) {
  const { outputs } = await runOperation(operation, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const { path, width = 0, height = 0 } = output;
  return { path, width, height, metadata: await sharp(path, { pages: -1 }).metadata() };
}

export function describeFormats(
  { operation, params, size = testSize, addsAlpha }: Checked,
  rows: typeof imageRows = fewImageRows,
): void {
  test.each(rows)("%s: format, depth, color and profile are kept", async (_, type, make) => {
    const sample = await toSample(type, await (await make()).toBuffer());
    const was = await sharp(sample.path).metadata();
    const output = await runOnImage({ operation, params }, sample);
    const facts = ["format", "space", "depth", "isProgressive", "chromaSubsampling"] as const;
    for (const fact of facts) expect([fact, output.metadata[fact]]).toEqual([fact, was[fact]]);
    expect(output.metadata.icc).toEqual(was.icc);
    const isOpaque = type === "jpeg" || was.space === "cmyk";
    // GIF files may declare a transparent color that no pixel has.
    if (type !== "gif")
      expect(output.metadata.hasAlpha).toBe(was.hasAlpha || (addsAlpha === true && !isOpaque));
    expect(output.metadata).toMatchObject(size);
    expect({ width: output.width, height: output.height }).toEqual(size);
  });
}

/** The EXIF orientation that undoes another one. */
const inverse: Readonly<Record<number, number>> = { 6: 8, 8: 6 };

/** An image that is displayed as `upright` because of its EXIF orientation. */
async function storeRotated(upright: Buffer, orientation: number): Promise<Buffer> {
  const undone = { orientation: inverse[orientation] ?? orientation };
  const tagged = await sharp(upright).withMetadata(undone).png().toBuffer();
  const stored = await sharp(tagged).autoOrient().png().toBuffer();
  return sharp(stored).withMetadata({ orientation }).png().toBuffer();
}

/** The largest difference of a sample, of 255. */
export function largestDifference(one: Pixels, other: Pixels): number {
  const { width, height, channels } = one;
  expect({ width, height, channels }).toEqual({
    width: other.width,
    height: other.height,
    channels: other.channels,
  });
  let largest = 0;
  for (const [index, value] of one.samples.entries()) {
    // The color of transparent pixels is of no importance.
    const alpha = channels === 4 ? index - (index % 4) + 3 : index;
    if (index !== alpha && one.samples[alpha] === 0 && other.samples[alpha] === 0) continue;
    largest = Math.max(largest, Math.abs(value - (other.samples[index] ?? 0)));
  }
  return largest;
}

const orientations = [2, 3, 4, 5, 6, 7, 8];

export function describeOrientations(
  { operation, params, tolerance = 3 }: Checked,
  tested: readonly number[] = [6],
): void {
  test.each(tested)(
    "EXIF orientation %i: the result is displayed as that of the upright image",
    async (orientation) => {
      const upright = await paint({ channels: 4 }).png().toBuffer();
      const sample = await toSample("png", await storeRotated(upright, orientation));
      const expected = await runOnImage({ operation, params }, await toSample("png", upright));
      const output = await runOnImage({ operation, params }, sample);
      expect([output.width, output.height]).toEqual([expected.width, expected.height]);
      const pixels = await readPixels(output.path, { upright: true });
      const difference = largestDifference(pixels, await readPixels(expected.path));
      expect(difference).toBeLessThanOrEqual(tolerance);
    },
  );
}

const animated = { delay: [100, 250, 70], loop: 3 };

const sequences = [
  ["gif", (image: Sharp) => image.gif({ ...animated, dither: 0 })],
  ["webp", (image: Sharp) => image.webp({ ...animated, lossless: true, exact: true })],
  ["tiff", (image: Sharp) => image.tiff({ compression: "lzw" })],
] as const;

/** Three frames with few colors, so that a GIF shows them as they are. */
function paintFrames(): Promise<Buffer[]> {
  const frames = ["#aa3333", "#33aa33", "#3333aa"].map((background, index) => {
    const bar = { width: 20 + 10 * index, height: 30, channels: 4, background: "#f0e040" } as const;
    const frame = sharp({ create: { ...testSize, channels: 4, background } });
    return frame.composite([{ input: { create: bar }, left: 30, top: 10 * index }]);
  });
  return Promise.all(frames.map((frame) => frame.png().toBuffer()));
}

/** Returns RGB as RGBA with 8 bits. A WebP file stores no alpha if all of it is opaque. */
function addAlpha(pixels: Pixels): Pixels {
  if (pixels.channels === 4) return pixels;
  const samples = new Uint8Array((pixels.samples.length / 3) * 4).fill(255);
  for (const [index, value] of pixels.samples.entries()) {
    samples[Math.floor(index / 3) * 4 + (index % 3)] = value;
  }
  return { ...pixels, channels: 4, samples };
}

export function describeSequences(
  { operation, params, size = testSize, tolerance = 3 }: Checked,
  types: readonly string[] = ["webp"],
): void {
  test.each(sequences.filter(([type]) => types.includes(type)))(
    "%s: frames, delays and loop count are kept, and each frame is changed on its own",
    async (type, encode) => {
      const frames = await paintFrames();
      const joined = sharp(frames, { join: { animated: true } });
      const sample = await toSample(type, await encode(joined).toBuffer());
      const output = await runOnImage({ operation, params }, sample);
      const timing = type === "tiff" ? {} : animated;
      const { width, height: pageHeight } = size;
      expect(output.metadata).toMatchObject({ format: type, pages: 3, width, pageHeight });
      expect(output.metadata).toMatchObject(timing);
      const pixels = await readPixels(output.path);
      const length = pixels.samples.length / 3;
      for (const [page, frame] of frames.entries()) {
        const single = await runOnImage({ operation, params }, await toSample("png", frame));
        const samples = pixels.samples.subarray(page * length, (page + 1) * length);
        const difference = largestDifference(
          addAlpha({ ...pixels, height: pageHeight, samples }),
          addAlpha(await readPixels(single.path)),
        );
        // A GIF has at most 256 colors, and no partial transparency.
        if (type !== "gif") expect(difference).toBeLessThanOrEqual(tolerance);
      }
    },
  );
}

const damagedTypes = ["png", "jpeg", "webp"] as const;

export function describeDamage(
  { operation, params }: Checked,
  types: readonly (typeof damagedTypes)[number][] = ["png"],
): void {
  test.each(types)("a damaged %s is corrupt", async (type) => {
    const bytes = await makeTestImage()[type]().toBuffer();
    const sample = await toSample(type, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    await expect(runOnImage({ operation, params }, sample)).rejects.toMatchObject({
      code: "corrupt",
    });
  });
}

/** A few images of each kind. */
export function describeImageOperation(checked: Checked): void {
  describe("formats", () => describeFormats(checked));
  describe("orientations", () => describeOrientations(checked));
  describe("animations and pages", () => describeSequences(checked));
  describe("damage", () => describeDamage(checked));
}

/** Every image, for one operation on each path through the code that opens and saves images. */
export function describeEveryImage(checked: Checked): void {
  const types = sequences.map(([type]) => type);
  describe("every format", () => describeFormats(checked, imageRows));
  describe("every orientation", () => describeOrientations(checked, orientations));
  describe("every sequence", () => describeSequences(checked, types));
  describe("damage", () => describeDamage(checked, damagedTypes));
}
