import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import sharp from "sharp";
import { describe, expect, it, test } from "vitest";
import { responsiveImageSet } from "#lib/operations/pipeline/responsive-image-set/index.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function make(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(responsiveImageSet, sample, params);
  return { outputs, html: String(result?.html), images: result?.images };
}

const jpegOf = async (width: number, height: number) =>
  toSample("jpeg", await makeTestImage({ width, height }).jpeg().toBuffer());

it("has every format in every width, up to the image's own", async () => {
  const sample = { ...(await jpegOf(800, 500)), filename: "Été & Co #1.jpg" };
  const { outputs, html, images } = await make(sample, { formats: "webp,avif,jpeg" });
  const names = outputs.map(({ filename }) => filename);
  const expected = ["webp", "avif", "jpg"].flatMap((extension) =>
    [320, 640, 800].map((width) => `Été & Co #1-${width}.${extension}`),
  );
  expect(names).toEqual(expected);
  for (const [index, { path, width = 0, height }] of outputs.entries()) {
    const metadata = await sharp(path).metadata();
    const format = ["webp", "heif", "jpeg"][Math.floor(index / 3)];
    expect(metadata).toMatchObject({ format, width, height: (width * 5) / 8, space: "srgb" });
    expect(height).toBe(metadata.height);
  }
  expect(images).toHaveLength(9);
  // The formats that browsers should prefer are first, and JPEG is what all others fall back to.
  const types = [...html.matchAll(/<source type="([^"]+)"/g)].map(([, type]) => type);
  expect(types).toEqual(["image/avif", "image/webp"]);
  expect(html).toMatch(/<img [^>]*width="800" height="500"/);
  const sets = [...html.matchAll(/srcset="([^"]+)"/g)].map(([, set = ""]) => set.split(", "));
  expect(sets).toHaveLength(3);
  const found = sets.flatMap((set) =>
    set.map((item) => {
      const [url = "", width = ""] = item.split(" ");
      const { pathname, search, hash } = new URL(url, "https://a.example/");
      expect([search, hash]).toEqual(["", ""]);
      expect(url).toContain(`-${width.slice(0, -1)}.`);
      return basename(decodeURIComponent(pathname));
    }),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(html.match(/sizes="\(max-width: 800px\) 100vw, 800px"/g)).toHaveLength(3);
});

describe("the images", () => {
  it("are upright, in sRGB and without metadata", async () => {
    const wide = makeTestImage({ width: 300, height: 200 }).withIccProfile("p3");
    const turned = await wide.withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer();
    const sample = await toSample("jpeg", turned);
    await exiftool("-overwrite_original", "-GPSLatitude=48.1", sample.path);
    const { outputs } = await make(sample, { widths: [100], formats: ["jpeg", "png"] });
    for (const { path } of outputs) {
      const { width, height, exif, icc, orientation } = await sharp(path).metadata();
      expect([width, height, exif, icc, orientation ?? 1]).toEqual([
        100,
        150,
        undefined,
        undefined,
        1,
      ]);
    }
    const expected = await sharp(turned).autoOrient().resize(100).raw().toBuffer();
    const found = await sharp(outputs[1]?.path).removeAlpha().raw().toBuffer();
    const worst = found.reduce(
      (most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? 0))),
      0,
    );
    expect(worst).toBeLessThan(16);
  });

  it("keep transparency, except a JPEG, which is white there", async () => {
    const background = { r: 255, g: 0, b: 0, alpha: 0 };
    const clear = sharp({ create: { width: 40, height: 30, channels: 4, background } });
    const sample = await toSample("png", await clear.png().toBuffer());
    const { outputs } = await make(sample, { widths: "20", formats: "jpeg,webp" });
    const pixel = async (path = "") => [...(await sharp(path).raw().toBuffer()).subarray(0, 4)];
    expect((await pixel(outputs[0]?.path)).slice(0, 3)).toEqual([255, 255, 255]);
    expect((await pixel(outputs[1]?.path))[3]).toBe(0);
  });

  it("of an SVG are drawn in their width, and not enlarged from a small drawing", async () => {
    const { path } = await jpegOf(8, 8);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><path d="M0 0h5v10h-5z"/></svg>`;
    writeFileSync(`${path}.svg`, svg);
    const sample = { path: `${path}.svg`, type: "svg" } as const;
    const { outputs } = await make(sample, { widths: "200", formats: "png" });
    expect(outputs[0]).toMatchObject({ width: 200, height: 200 });
    const alpha = await sharp(outputs[0]?.path).ensureAlpha().extractChannel(3).raw().toBuffer();
    expect([alpha[98], alpha[102]]).toEqual([255, 0]);
  });
});

test("a damaged image is an error", async () => {
  const jpeg = await makeTestImage({ width: 300, height: 200 }).jpeg().toBuffer();
  const sample = await toSample("jpeg", jpeg.subarray(0, jpeg.length / 2));
  await expect(make(sample)).rejects.toMatchObject({ code: "corrupt" });
});

test.each([
  { widths: "" },
  { widths: "0" },
  { widths: "320,,640" },
  { widths: "16384" },
  { widths: "1.5" },
  { widths: "1,2,3,4,5,6,7,8,9,10,11,12,13" },
  { formats: "gif" },
  { formats: ["jpeg", "bmp"] },
])("%j is rejected", (params) => {
  expect(responsiveImageSet.params.safeParse(params).success).toBe(false);
});
