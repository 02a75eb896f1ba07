import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type Position, positions } from "#lib/operations/fields/index.ts";
import { watermarkText } from "#lib/operations/image/watermark-text/index.ts";
import {
  findChanges,
  makeTestFrames,
  makeTestImage,
  type Pixels,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const solid = { text: "Mark", opacity: 1, font_size: 20 };

async function watermark(sample: Sample, params: Record<string, unknown>): Promise<string> {
  const { outputs } = await runOperation(watermarkText, sample, params);
  return outputs[0]?.path ?? "";
}

const middle = (low: number, high: number, size: number) => (low + high) / 2 / size;

/** The position in which the center of the changes is. */
function locate(before: Pixels, after: Pixels, tolerance: number): Position {
  const area = findChanges(before, after, tolerance);
  if (!area) throw new Error("nothing has changed");
  const across = middle(area.left, area.right, before.width);
  const down = middle(area.top, area.bottom, before.height);
  const index = Math.floor(down * 3) * 3 + Math.floor(across * 3);
  return positions[index] ?? "center";
}

describe("position", () => {
  test.each(positions)("%s changes only pixels there", async (position) => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const output = await watermark(sample, { ...solid, position });
    const before = await readPixels(sample.path);
    const after = await readPixels(output);
    const area = findChanges(before, after) ?? { left: 0, right: 0, top: 0, bottom: 0 };
    expect(locate(before, after, 0)).toBe(position);
    expect(area.right - area.left).toBeLessThan(60);
    expect(area.bottom - area.top).toBeLessThan(25);
  });

  test.each(positions)("%s stays inside the image if the text fills it", async (position) => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const text = "All work and no play makes a dull text. ".repeat(12);
    const output = await watermark(sample, { ...solid, text, position, font_size: 60 });
    const area = findChanges(await readPixels(sample.path), await readPixels(output));
    expect(area?.left).toBeGreaterThanOrEqual(5);
    expect(area?.right).toBeLessThan(235);
    expect(area?.bottom).toBeLessThan(175);
  });

  const encode: Record<string, (image: Sharp) => Sharp> = {
    jpeg: (image) => image.jpeg({ quality: 95 }),
    png: (image) => image.png(),
    tiff: (image) => image.tiff({ compression: "lzw" }),
    webp: (image) => image.webp({ lossless: true }),
  };
  /** Every orientation, and each format with one that turns and an invalid one, 9. */
  const orientations = [
    ...[1, 2, 3, 4, 5, 7, 8].map((orientation) => [orientation, "png"] as const),
    ...[6, 9].flatMap((orientation) =>
      (["jpeg", "png", "tiff", "webp"] as const).map((type) => [orientation, type] as const),
    ),
  ];
  test.each(orientations)(
    "EXIF orientation %i of a %s: the text is upright",
    async (orientation, type) => {
      const tagged = encode[type]?.(makeTestImage()) ?? makeTestImage();
      const bytes = await tagged.withMetadata({ orientation: Math.min(orientation, 8) }).toBuffer();
      const sample = await toSample(type, orientation === 9 ? setBadOrientation(bytes) : bytes);
      const output = await watermark(sample, { ...solid, position: "top-right" });
      const before = await readPixels(sample.path, { upright: true });
      const after = await readPixels(output, { upright: true });
      expect([after.width, after.height]).toEqual([before.width, before.height]);
      expect(locate(before, after, 60)).toBe("top-right");
    },
  );
});

/** Changes the orientation from 8 to 9, which is invalid. */
function setBadOrientation(bytes: Buffer): Buffer {
  const tag = Buffer.from([0x12, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x08, 0x00]);
  const at = bytes.indexOf(tag);
  const changed = Buffer.from(bytes);
  if (at >= 0) changed[at + 8] = 9;
  return changed;
}

const cmyk = () => makeTestImage().withIccProfile("cmyk");

/** The rows; `exact` says whether decoded pixels outside of the text are bit-identical. */
const rows: readonly [string, MediaTypeId, () => Sharp | Promise<Sharp>, "exact" | "close"][] = [
  ["PNG", "png", () => makeTestImage().png(), "exact"],
  ["PNG with alpha", "png", () => makeTestImage({ channels: 4 }).png(), "exact"],
  ["gray PNG", "png", () => makeTestImage({ channels: 1 }).png(), "exact"],
  ["gray PNG with alpha", "png", () => makeTestImage({ channels: 2 }).png(), "exact"],
  ["16-bit PNG", "png", () => makeTestImage({ bits: 16 }).png(), "exact"],
  ["16-bit PNG with alpha", "png", () => makeTestImage({ bits: 16, channels: 4 }).png(), "exact"],
  ["16-bit gray PNG", "png", () => makeTestImage({ bits: 16, channels: 1 }).png(), "exact"],
  [
    "16-bit gray PNG with alpha",
    "png",
    () => makeTestImage({ bits: 16, channels: 2 }).png(),
    "exact",
  ],
  ["palette PNG", "png", () => makeTestImage().png({ palette: true, colors: 32 }), "exact"],
  ["TIFF", "tiff", () => makeTestImage().tiff({ compression: "lzw" }), "exact"],
  [
    "16-bit TIFF",
    "tiff",
    () => makeTestImage({ bits: 16 }).tiff({ compression: "deflate" }),
    "exact",
  ],
  ["CMYK TIFF", "tiff", () => cmyk().tiff({ compression: "lzw" }), "exact"],
  ["lossless WebP", "webp", () => makeTestImage({ channels: 4 }).webp({ lossless: true }), "exact"],
  ["WebP", "webp", () => makeTestImage().webp(), "close"],
  ["JPEG", "jpeg", () => makeTestImage().jpeg(), "close"],
  ["gray JPEG", "jpeg", () => makeTestImage({ channels: 1 }).jpeg(), "close"],
  ["CMYK JPEG", "jpeg", () => cmyk().jpeg(), "close"],
  ["AVIF", "avif", () => makeTestImage().avif({ effort: 2 }), "close"],
  [
    "10-bit AVIF",
    "avif",
    () => makeTestImage({ bits: 16 }).avif({ effort: 2, bitdepth: 10 }),
    "close",
  ],
  ["GIF", "gif", () => makeTestImage().gif({ colors: 64 }), "close"],
];

const oneOfEachType = rows.filter(
  ([, type], index) => rows.findIndex((row) => row[1] === type) === index,
);

test.each(oneOfEachType)("%s: opacity 0 does not change the file", async (_, type, paint) => {
  const sample = await toSample(type, await (await paint()).toBuffer());
  const output = await watermark(sample, { ...solid, opacity: 0 });
  expect(await readFile(output)).toEqual(await readFile(sample.path));
});

test.each(rows)(
  "%s: format, size, depth and color space are kept; only the area of the text changes",
  async (_, type, paint, kept) => {
    const sample = await toSample(type, await (await paint()).toBuffer());
    const output = await watermark(sample, { ...solid, position: "bottom-left" });
    const was = await sharp(sample.path).metadata();
    const is = await sharp(output).metadata();
    const facts = ["format", "width", "height", "space", "depth", "channels", "hasAlpha"] as const;
    for (const fact of facts) expect([fact, is[fact]]).toEqual([fact, was[fact]]);
    expect(is.icc).toEqual(was.icc);
    const before = await readPixels(sample.path);
    const after = await readPixels(output);
    const most = was.depth === "ushort" ? 65_535 : 255;
    expect(locate(before, after, kept === "exact" ? 0 : most * 0.2)).toBe("bottom-left");
  },
);

test("opacity 1 is solid and 0.5 is half of it", async () => {
  const plain = { width: 200, height: 100, channels: 3, background: "#000000" } as const;
  const sample = await toSample("png", await sharp({ create: plain }).png().toBuffer());
  const brightest = async (opacity: number) => {
    const params = { text: "■", color: "#c83264", opacity, font_size: 60, position: "center" };
    const { samples } = await readPixels(await watermark(sample, params));
    const red = [...samples].filter((_, index) => index % 3 === 0);
    const pixel = red.indexOf(Math.max(...red)) * 3;
    return [...samples.slice(pixel, pixel + 3)];
  };
  expect(await brightest(1)).toEqual([0xc8, 0x32, 0x64]);
  for (const [index, value] of (await brightest(0.5)).entries()) {
    expect(Math.abs(value - ([100, 25, 50][index] ?? 0))).toBeLessThanOrEqual(1);
  }
});

test("the color is converted to the color space of a wide-gamut image", async () => {
  const plain = { width: 200, height: 100, channels: 3, background: "#000000" } as const;
  const bytes = await sharp({ create: plain }).withIccProfile("p3").png().toBuffer();
  const sample = await toSample("png", bytes);
  const params = { text: "■", color: "#ff0000", opacity: 1, font_size: 60, position: "center" };
  const { samples } = await readPixels(await watermark(sample, params));
  // sRGB's red in Display P3 (CSS Color 4: color(display-p3 0.9175 0.2003 0.1386)).
  expect(Math.max(...samples)).toBeGreaterThan(230);
  expect(Math.max(...samples)).toBeLessThan(238);
});

test("colored text on a gray image is colored", async () => {
  const sample = await toSample("png", await makeTestImage({ channels: 1 }).png().toBuffer());
  const output = await watermark(sample, { ...solid, color: "#ff0000" });
  expect(await sharp(output).metadata()).toMatchObject({ space: "srgb", channels: 3 });
});

describe("animations", () => {
  const animated = { delay: [100, 250, 70], loop: 3 };
  const colors = ["#aa3333", "#33aa33", "#3333aa"];
  test.each([
    ["gif", (image: Sharp) => image.gif(animated)],
    ["webp", (image: Sharp) => image.webp({ ...animated, lossless: true })],
    ["webp", (image: Sharp) => image.webp(animated)],
  ] as const)(
    "%s keeps frames, delays and loop count, and each frame has the text",
    async (type, encode) => {
      const sample = await toSample(type, await encode(await makeTestFrames(colors)).toBuffer());
      const output = await watermark(sample, { ...solid, position: "bottom-right" });
      expect(await sharp(output, { pages: -1 }).metadata()).toMatchObject({
        pages: 3,
        pageHeight: 80,
        ...animated,
      });
      const before = await readPixels(sample.path);
      const after = await readPixels(output);
      for (const frame of [0, 1, 2]) {
        const cut = ({ samples, ...rest }: Pixels): Pixels => {
          const size = samples.length / 3;
          return { ...rest, height: 80, samples: samples.slice(frame * size, (frame + 1) * size) };
        };
        expect(locate(cut(before), cut(after), 50)).toBe("bottom-right");
      }
    },
  );

  test("text is rendered on the transparent parts of a GIF", async () => {
    const clear = { width: 120, height: 80, channels: 4, background: "#00000000" } as const;
    const sample = await toSample("gif", await sharp({ create: clear }).gif().toBuffer());
    const output = await watermark(sample, { ...solid, opacity: 0.3 });
    const { samples } = await readPixels(output);
    expect(samples.some((value, index) => index % 4 === 3 && value === 255)).toBe(true);
  });
});

describe("metadata", () => {
  test.each([
    ["jpeg", (image: Sharp) => image.jpeg()],
    ["png", (image: Sharp) => image.png()],
    ["tiff", (image: Sharp) => image.tiff({ xres: 300 / 25.4, yres: 300 / 25.4 })],
    ["webp", (image: Sharp) => image.webp()],
  ] as const)("%s keeps profile, EXIF and density", async (type, encode) => {
    const described = makeTestImage()
      .withIccProfile("p3")
      .withExif({ IFD0: { Copyright: "Ada" } })
      .withMetadata({ density: 300, icc: "p3", exif: { IFD0: { Copyright: "Ada" } } });
    const sample = await toSample(type, await encode(described).toBuffer());
    const output = await watermark(sample, solid);
    const was = await sharp(sample.path).metadata();
    const is = await sharp(output).metadata();
    expect(is.icc).toEqual(was.icc);
    expect(is.density).toBe(was.density);
    expect(is.exif?.includes("Ada")).toBe(was.exif?.includes("Ada"));
  });
});

describe("never fails", () => {
  const texts: readonly [string, string][] = [
    ["blanks", "  \n "],
    ["markup", "<b>&amp;</b><span font='1'>"],
    ["a broken tag", "</span></b"],
    ["emoji", "👨‍👩‍👧 🇩🇪 😀"],
    ["right to left", "שלום عالم"],
    ["CJK and Devanagari", "日本語 中文 한국어 नमस्ते"],
    ["500 characters", "W".repeat(500)],
    ["stacked combining marks", `a${"\u0301".repeat(499)}`],
    ["noncharacters", "a\u{fffe}\u{ffff}\u2028b"],
    ["a zero-width space", "\u200b"],
    ["one character and line breaks", `a${"\n".repeat(499)}`],
  ];
  const sizes = [
    [1, 1],
    [1, 65_535],
    [3000, 1],
    [7, 5],
    [240, 180],
  ] as const;
  test.each(sizes)("on %i×%i", async (width, height) => {
    const sample = await toSample("png", await makeTestImage({ width, height }).png().toBuffer());
    // Each text meets the smallest image and an ordinary one, and every third one each other size; both sizes of letters.
    const meetsAll = width === height || width === 240;
    const tried = texts.filter((_, index) => meetsAll || (index + height) % 3 === 0);
    for (const [index, [, text]] of tried.entries()) {
      const font_size = (index + width) % 2 === 0 ? undefined : 1000;
      const output = await watermark(sample, { text, opacity: 1, font_size });
      expect(await sharp(output).metadata()).toMatchObject({ width, height });
    }
  });
});
