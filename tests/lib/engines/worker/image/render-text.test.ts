import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { renderText, type TextOptions } from "#lib/engines/worker/image/render-text.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const plain = { fontSize: 32, color: "#ffffff", opacity: 1, maxWidth: 400, maxHeight: 300 };

async function render(options: Partial<TextOptions> & { text: string }) {
  const work = temporaryWorkFolder();
  const signal = new AbortController().signal;
  const { file, width, height } = await renderText({ ...plain, ...options }, work, signal);
  const { data, info } = await sharp(file.path).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width, height, channels: 4 });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
  ];
  let visiblePixels = 0;
  let maxAlpha = 0;
  for (let index = 3; index < data.length; index += 4) {
    if (data[index]) visiblePixels++;
    maxAlpha = Math.max(maxAlpha, data[index] ?? 0);
  }
  return { width, height, data, pixel, maxAlpha, visiblePixels };
}

test.each([
  ["Latin", "Hamburgefons"],
  ["Greek and Cyrillic", "Ελλάδα Привет"],
  ["Chinese, Japanese, Korean", "中文 日本語 한국어"],
  ["Hebrew and Arabic", "שלום مرحبا"],
  ["Devanagari", "नमस्ते"],
  ["Thai", "สวัสดี"],
])("renders %s with glyphs, not with boxes", async (_, text) => {
  const rendered = await render({ text });
  // All characters without a glyph are rendered as the same box.
  const missing = await render({ text: "\u{10fffd}".repeat([...text].length) });
  expect(rendered.visiblePixels).toBeGreaterThan(100);
  expect([rendered.width, rendered.height, rendered.visiblePixels]).not.toEqual([
    missing.width,
    missing.height,
    missing.visiblePixels,
  ]);
});

test("joins Arabic letters and renders Hebrew from right to left", async () => {
  const joined = await render({ text: "بب" });
  const apart = await render({ text: "ب ب" });
  expect(joined.width).toBeLessThan(apart.width);
  // Only the lamed rises above the other letters. It is the first letter, so it is on the right.
  const { width, pixel } = await render({ text: "לששש" });
  const top = Array.from({ length: width }, (_, x) => pixel(x, 0)[3] ?? 0);
  expect(top.findIndex((alpha) => alpha > 0)).toBeGreaterThan(width / 2);
});

test("keeps the colors of emoji", async () => {
  const { data } = await render({ text: "😀", color: "#0000ff" });
  const yellow = [...data.keys()].filter(
    (i) => i % 4 === 0 && (data[i] ?? 0) > 200 && (data[i + 2] ?? 0) < 120,
  );
  expect(yellow.length).toBeGreaterThan(100);
});

test("crops the image to the visible pixels", async () => {
  for (const text of ["Hello", "\n\n  a", "j", "😀", "שלום"]) {
    const { width, height, pixel } = await render({ text });
    const row = (y: number) => Array.from({ length: width }, (_, x) => pixel(x, y)[3] ?? 0);
    const column = (x: number) => Array.from({ length: height }, (_, y) => pixel(x, y)[3] ?? 0);
    for (const edge of [row(0), row(height - 1), column(0), column(width - 1)]) {
      expect(Math.max(...edge)).toBeGreaterThan(0);
    }
  }
});

test("renders 1 point as 1 pixel: a capital letter is about 0.71 em high", async () => {
  for (const fontSize of [20, 50, 100]) {
    const { height } = await render({ text: "H", fontSize });
    expect(Math.abs(height - 0.714 * fontSize)).toBeLessThanOrEqual(1.5);
  }
});

test.each([
  ["#ff8000", [255, 128, 0, 255]],
  ["#f80", [255, 136, 0, 255]],
  ["0xFF8000", [255, 128, 0, 255]],
  ["#ff800080", [255, 128, 0, 128]],
])("renders the color %s", async (color, expected) => {
  const { pixel, width, height } = await render({ text: "■", color, fontSize: 60 });
  expect(pixel(Math.floor(width / 2), Math.floor(height / 2))).toEqual(expected);
});

test("multiplies the opacity with the alpha of the color", async () => {
  const { maxAlpha } = await render({ text: "■", color: "#ffffff80", opacity: 0.5, fontSize: 60 });
  expect(maxAlpha).toBe(64);
});

test.each(["<b>x</b>", "&amp;", "a < b > c & d", "</span>", "<span size='99999'>"])(
  "renders %s as text",
  async (text) => {
    const rendered = await render({ text, fontSize: 12 });
    const shorter = await render({ text: "x", fontSize: 12 });
    expect(rendered.width).toBeGreaterThan(shorter.width * 2);
  },
);

describe("fits into the maximum size", () => {
  const long = "The quick brown fox jumps over the lazy dog. ".repeat(11);
  test.each([
    ["one line", "Hello", 400, 300],
    ["wrapped", long, 400, 2000],
    ["wrapped and shrunk", long, 200, 100],
    ["an endless word", "W".repeat(500), 100, 50],
    ["endless lines", "a\n".repeat(250), 100, 1000],
    ["one pixel", long, 1, 1],
    ["one column", long, 1, 65_535],
    ["one row", long, 65_535, 1],
    ["a large box", long, 5000, 20_000],
  ])("%s", async (_, text, maxWidth, maxHeight) => {
    for (const fontSize of [1, 24, 1000]) {
      const { width, height, visiblePixels } = await render({
        text,
        maxWidth,
        maxHeight,
        fontSize,
      });
      expect(width).toBeLessThanOrEqual(maxWidth);
      expect(height).toBeLessThanOrEqual(maxHeight);
      expect(visiblePixels).toBeGreaterThan(0);
    }
  });

  test("adds no hyphens when it breaks a word", async () => {
    const box = { maxWidth: 200, maxHeight: 2000, fontSize: 20 };
    const broken = await render({ text: "W".repeat(30), ...box });
    const expected = await render({ text: Array(3).fill("W".repeat(10)).join("\n"), ...box });
    expect([broken.width, broken.height]).toEqual([expected.width, expected.height]);
    expect(broken.data.equals(expected.data)).toBe(true);
  });

  test("does not reduce text that fits, and wraps lines before it reduces the size", async () => {
    const line = await render({ text: "Hello Hello", maxWidth: 1000 });
    const wrapped = await render({ text: "Hello Hello", maxWidth: line.width - 10 });
    expect(wrapped.height).toBeGreaterThan(line.height * 1.8);
    const shrunk = await render({ text: "Hello Hello", maxWidth: line.width - 10, maxHeight: 30 });
    expect(shrunk.height).toBeLessThanOrEqual(30);
  });
});

test("renders whitespace as one transparent pixel", async () => {
  for (const text of [" ", "\n", "\u200b", "\u00a0\u3000"]) {
    expect(await render({ text })).toMatchObject({ width: 1, height: 1, visiblePixels: 0 });
  }
});
