import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { renderText, type TextOptions } from "#lib/engines/worker/render-text.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(closeWorkerPool);

const plain = { fontSize: 32, color: "#ffffff", opacity: 1, maxWidth: 400, maxHeight: 300 };

async function draw(options: Partial<TextOptions> & { text: string }) {
  const work = temporaryWorkFolder();
  const signal = new AbortController().signal;
  const { file, width, height } = await renderText({ ...plain, ...options }, work, signal);
  const { data, info } = await sharp(file.path).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width, height, channels: 4 });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
  ];
  let ink = 0;
  let strongest = 0;
  for (let index = 3; index < data.length; index += 4) {
    if (data[index]) ink++;
    strongest = Math.max(strongest, data[index] ?? 0);
  }
  return { width, height, data, pixel, strongest, ink };
}

test.each([
  ["Latin", "Hamburgefons"],
  ["Greek and Cyrillic", "Ελλάδα Привет"],
  ["Chinese, Japanese, Korean", "中文 日本語 한국어"],
  ["Hebrew and Arabic", "שלום مرحبا"],
  ["Devanagari", "नमस्ते"],
  ["Thai", "สวัสดี"],
])("%s is drawn in letters and not in boxes", async (_, text) => {
  const drawn = await draw({ text });
  // The box for a letter that no font has is drawn the same for all of them.
  const missing = await draw({ text: "\u{10fffd}".repeat([...text].length) });
  expect(drawn.ink).toBeGreaterThan(100);
  expect([drawn.width, drawn.height, drawn.ink]).not.toEqual([
    missing.width,
    missing.height,
    missing.ink,
  ]);
});

test("Arabic letters join, and Hebrew runs from the right", async () => {
  const [joined, apart] = [await draw({ text: "بب" }), await draw({ text: "ب ب" })];
  expect(joined.width).toBeLessThan(apart.width);
  // Of these letters lamed alone rises above the others; it comes first, so it stands right.
  const { width, pixel } = await draw({ text: "לששש" });
  const top = Array.from({ length: width }, (_, x) => pixel(x, 0)[3] ?? 0);
  expect(top.findIndex((alpha) => alpha > 0)).toBeGreaterThan(width / 2);
});

test("emoji keep their colours", async () => {
  const { data } = await draw({ text: "😀", color: "#0000ff" });
  const yellow = [...data.keys()].filter(
    (i) => i % 4 === 0 && (data[i] ?? 0) > 200 && (data[i + 2] ?? 0) < 120,
  );
  expect(yellow.length).toBeGreaterThan(100);
});

test("the picture is cut to the ink", async () => {
  for (const text of ["Hello", "\n\n  a", "j", "😀", "שלום"]) {
    const { width, height, pixel } = await draw({ text });
    const row = (y: number) => Array.from({ length: width }, (_, x) => pixel(x, y)[3] ?? 0);
    const column = (x: number) => Array.from({ length: height }, (_, y) => pixel(x, y)[3] ?? 0);
    for (const edge of [row(0), row(height - 1), column(0), column(width - 1)]) {
      expect(Math.max(...edge)).toBeGreaterThan(0);
    }
  }
});

test("a point is a pixel: a capital is some 0.71 em high", async () => {
  for (const fontSize of [20, 50, 100]) {
    const { height } = await draw({ text: "H", fontSize });
    expect(Math.abs(height - 0.714 * fontSize)).toBeLessThanOrEqual(1.5);
  }
});

test.each([
  ["#ff8000", [255, 128, 0, 255]],
  ["#f80", [255, 136, 0, 255]],
  ["0xFF8000", [255, 128, 0, 255]],
  ["#ff800080", [255, 128, 0, 128]],
])("colour %s", async (color, expected) => {
  const { pixel, width, height } = await draw({ text: "■", color, fontSize: 60 });
  expect(pixel(Math.floor(width / 2), Math.floor(height / 2))).toEqual(expected);
});

test("opacity is on top of the colour's own alpha", async () => {
  const { strongest } = await draw({ text: "■", color: "#ffffff80", opacity: 0.5, fontSize: 60 });
  expect(strongest).toBe(64);
});

test.each(["<b>x</b>", "&amp;", "a < b > c & d", "</span>", "<span size='99999'>"])(
  "%s is text",
  async (text) => {
    const [drawn, shorter] = [
      await draw({ text, fontSize: 12 }),
      await draw({ text: "x", fontSize: 12 }),
    ];
    expect(drawn.width).toBeGreaterThan(shorter.width * 2);
  },
);

describe("fits", () => {
  const long = "The quick brown fox jumps over the lazy dog. ".repeat(11);
  test.each([
    ["one line", "Hello", 400, 300],
    ["wrapped", long, 400, 2000],
    ["wrapped and shrunk", long, 200, 100],
    ["a word without end", "W".repeat(500), 100, 50],
    ["lines without end", "a\n".repeat(250), 100, 1000],
    ["one pixel", long, 1, 1],
    ["one column", long, 1, 65_535],
    ["one row", long, 65_535, 1],
    ["a large box", long, 5000, 20_000],
  ])("%s", async (_, text, maxWidth, maxHeight) => {
    for (const fontSize of [1, 24, 1000]) {
      const { width, height, ink } = await draw({ text, maxWidth, maxHeight, fontSize });
      expect(width).toBeLessThanOrEqual(maxWidth);
      expect(height).toBeLessThanOrEqual(maxHeight);
      expect(ink).toBeGreaterThan(0);
    }
  });

  test("a word that breaks within gets no hyphen: it looks as if the text had the line breaks", async () => {
    const box = { maxWidth: 200, maxHeight: 2000, fontSize: 20 };
    const broken = await draw({ text: "W".repeat(30), ...box });
    const byHand = await draw({ text: Array(3).fill("W".repeat(10)).join("\n"), ...box });
    expect([broken.width, broken.height]).toEqual([byHand.width, byHand.height]);
    expect(broken.data.equals(byHand.data)).toBe(true);
  });

  test("text that fits is not made smaller; wrapping comes before shrinking", async () => {
    const line = await draw({ text: "Hello Hello", maxWidth: 1000 });
    const wrapped = await draw({ text: "Hello Hello", maxWidth: line.width - 10 });
    expect(wrapped.height).toBeGreaterThan(line.height * 1.8);
    const shrunk = await draw({ text: "Hello Hello", maxWidth: line.width - 10, maxHeight: 30 });
    expect(shrunk.height).toBeLessThanOrEqual(30);
  });
});

test("blanks are one transparent pixel", async () => {
  for (const text of [" ", "\n", "\u200b", "\u00a0\u3000"]) {
    expect(await draw({ text })).toMatchObject({ width: 1, height: 1, ink: 0 });
  }
});
