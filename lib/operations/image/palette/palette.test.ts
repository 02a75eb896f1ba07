import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { palette } from "#lib/operations/image/palette/index.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

type Colors = { hex: string; share: number }[];

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(palette, sample, params);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  return result?.colors as Colors;
}

/** Makes vertical stripes, each of a color and a width. */
function makeStripes(stripes: readonly (readonly [color: string, width: number])[]) {
  const width = stripes.reduce((sum, [, each]) => sum + each, 0);
  let left = 0;
  const layers = stripes.map(([background, each]) => {
    const create = { width: each, height: 50, channels: 4, background } as const;
    const layer = { input: { create }, left, top: 0 };
    left += each;
    return layer;
  });
  const background = "#00000000";
  return sharp({ create: { width, height: 50, channels: 4, background } }).composite(layers);
}

test("flat colors are exact, with their shares, the largest first", async () => {
  const stripes = makeStripes([
    ["#123456", 20],
    ["#fedcba", 50],
    ["#00aa55", 30],
  ]);
  const sample = await toSample("png", await stripes.png().toBuffer());
  const all = [
    { hex: "#fedcba", share: 0.5 },
    { hex: "#00aa55", share: 0.3 },
    { hex: "#123456", share: 0.2 },
  ];
  expect(await run(sample)).toEqual(all);
  expect(await run(sample, { count: 3 })).toEqual(all);
  const [first, second, ...others] = await run(sample, { count: 2 });
  expect((first?.share ?? 0) + (second?.share ?? 0)).toBe(1);
  expect(others).toEqual([]);
});

test("transparent pixels do not count; nothing visible is no color", async () => {
  const stripes = makeStripes([
    ["#ff000000", 80],
    ["#0000ff", 20],
  ]);
  const sample = await toSample("png", await stripes.png().toBuffer());
  expect(await run(sample)).toEqual([{ hex: "#0000ff", share: 1 }]);
  const empty = await toSample(
    "png",
    await makeStripes([["#ff000000", 9]])
      .png()
      .toBuffer(),
  );
  expect(await run(empty)).toEqual([]);
});

test("a photograph: as many colors as asked, all of them different, together everything", async () => {
  const path = join(import.meta.dirname, "../../../../public/samples/inputs/photo.jpg");
  for (const count of [1, 5, 16]) {
    const colors = await run({ path, type: "jpeg" }, { count });
    expect(colors).toHaveLength(count);
    expect(new Set(colors.map(({ hex }) => hex)).size).toBe(count);
    expect(colors.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 2);
    const shares = colors.map(({ share }) => share);
    expect(shares).toEqual([...shares].sort((left, right) => right - left));
  }
});

describe("other kinds of images", () => {
  const solid = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } });

  test("of another color space, depth or size", async () => {
    const cmyk = solid("#cc3300").toColourspace("cmyk").withIccProfile("cmyk");
    const [red] = await run(await toSample("jpeg", await cmyk.jpeg().toBuffer()));
    const channels = [1, 3, 5].map((at) => Number.parseInt(red?.hex.slice(at, at + 2) ?? "", 16));
    for (const [index, value] of [0xcc, 0x33, 0x00].entries()) {
      expect(Math.abs((channels[index] ?? 0) - value)).toBeLessThan(0x20);
    }
    const wide = await solid("#33aa66").withIccProfile("p3").png().toBuffer();
    const [green] = await run(await toSample("png", wide));
    expect(green?.hex).toMatch(/^#3[234]a[9ab]6[567]$/);
    const deep = await solid("#33aa66").toColourspace("rgb16").png().toBuffer();
    expect(await run(await toSample("png", deep))).toEqual([{ hex: "#33aa66", share: 1 }]);
    const gray = await makeTestImage({ channels: 1 }).png().toBuffer();
    for (const { hex } of await run(await toSample("png", gray))) {
      expect(hex).toMatch(/^#(..)\1\1$/);
    }
    const pixel = await solid("#0a0b0c").resize(1, 1).png().toBuffer();
    expect(await run(await toSample("png", pixel))).toEqual([{ hex: "#0a0b0c", share: 1 }]);
  });

  test("of an animation, the first frame", async () => {
    const frames = await makeTestFrames(["#aa3333", "#33aa33"]);
    const sample = await toSample("webp", await frames.webp({ lossless: true }).toBuffer());
    const colors = await run(sample);
    expect(colors.map(({ hex }) => hex).sort()).toEqual(["#202020", "#aa3333"]);
  });
});

test("a damaged file, and counts that are rejected", async () => {
  const bytes = await makeTestImage().jpeg().toBuffer();
  const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
  await expect(runOperation(palette, sample)).rejects.toMatchObject({ code: "corrupt" });
  for (const count of [0, 65, 2.5]) {
    expect(palette.params.safeParse({ count }).success).toBe(false);
  }
});
