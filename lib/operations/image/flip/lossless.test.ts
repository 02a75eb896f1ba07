import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { flip } from "#lib/operations/image/flip/index.ts";
import { makeTestImage, paintNoise, readPixels, toSample } from "#tests/samples/images/images.ts";
import { largestDifference, runOnImage } from "#tests/support/image-operation.ts";
import type { Sample } from "#tests/support/operation.ts";

const run = (sample: Sample, direction: string) =>
  runOnImage({ operation: flip, params: { direction } }, sample);

/** The decoded pixels of `sample`, mirrored. */
async function flipPixels({ path }: Sample, direction: string) {
  const { samples, width, height } = await readPixels(path, { upright: true });
  const image = sharp(samples as Uint8Array, { raw: { width, height, channels: 3 } });
  const flipped = direction === "horizontal" ? image.flop() : image.flip();
  const { data, info } = await flipped.raw().toBuffer({ resolveWithObject: true });
  return { ...info, samples: data };
}

describe.each(["horizontal", "vertical"])("%s", (direction) => {
  // All combinations: tests/lib/media/transform.test.ts and lib/engines/jpegtran/jpegtran.test.ts.
  test.each([1, 4, 6, 7])("EXIF orientation %i: the pixels only move", async (tag) => {
    const painted = (await paintNoise(96, 64)).withMetadata({ orientation: tag });
    const encoded = painted.jpeg({ quality: 50, chromaSubsampling: "4:4:4" });
    const sample = await toSample("jpeg", await encoded.toBuffer());
    const output = await run(sample, direction);
    const expected = await flipPixels(sample, direction);
    const { width, height } = expected;
    expect(output).toMatchObject({ width, height, metadata: { width, height } });
    expect(output.metadata.orientation).toBe(1);
    // Decoders round differently after a rotation.
    expect(largestDifference(await readPixels(output.path), expected)).toBeLessThanOrEqual(3);
  });

  test.each([false, true])("twice gives the same pixels, progressive: %s", async (progressive) => {
    const image = await paintNoise(96, 64);
    const bytes = await image.jpeg({ quality: 50, progressive }).toBuffer();
    const sample = await toSample("jpeg", bytes);
    const once = await run(sample, direction);
    const twice = await run({ ...sample, path: once.path }, direction);
    expect((await readPixels(twice.path)).samples).toEqual((await readPixels(sample.path)).samples);
  });

  test("a size off the grid of blocks is encoded again", async () => {
    const bytes = await makeTestImage({ width: 90, height: 61 }).jpeg().toBuffer();
    const sample = await toSample("jpeg", bytes);
    const { path } = await run(sample, direction);
    const expected = await flipPixels(sample, direction);
    expect(largestDifference(await readPixels(path), expected)).toBeLessThan(16);
  });

  test.each([false, true])("a damaged file is corrupt, progressive: %s", async (progressive) => {
    const bytes = await (await paintNoise(96, 64)).jpeg({ progressive }).toBuffer();
    const sample = await toSample("jpeg", bytes.subarray(0, Math.floor(bytes.length * 0.9)));
    await expect(run(sample, direction)).rejects.toMatchObject({ code: "corrupt" });
  });
});
