import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { detectFaces, searchedSide } from "#lib/operations/shared/image/faces/detect-faces.ts";
import { faceSquare, makeFaceStrip } from "#tests/samples/images/faces.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";

/** The pixels of an image as the detector gets them. */
async function pixelsOf(image: Sharp) {
  const side = { width: searchedSide, height: searchedSide };
  const scaled = image
    .resize({ ...side, fit: "inside" })
    .removeAlpha()
    .toColorspace("srgb")
    .raw();
  const { data, info } = await scaled.toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

test("each face is found where it is, also in grayscale", async () => {
  const strip = await makeFaceStrip(5, [0, 3, 4]);
  for (const image of [sharp(strip), sharp(await sharp(strip).grayscale().png().toBuffer())]) {
    const faces = await detectFaces(await pixelsOf(image));
    const squares = faces.map(({ left, width }) => Math.floor((left + width / 2) * 5));
    expect(squares.toSorted()).toEqual([0, 3, 4]);
    for (const { top, width, height, score } of faces) {
      expect(score).toBeGreaterThan(0.6);
      expect([top > 0.1, top + height < 1, width * 5 > 0.5, width * 5 < 0.9]).not.toContain(false);
    }
  }
});

test.each([
  [faceSquare, faceSquare],
  [1, 1],
  [3, 900],
])("an image of %i × %i without faces has none", async (width, height) => {
  expect(await detectFaces(await pixelsOf(makeTestImage({ width, height })))).toEqual([]);
});
