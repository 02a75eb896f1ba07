import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { drawPixels, paintPlain } from "./draw-pixels.ts";

const planOf = (options: string) =>
  parseImgproxyPath(`${options}/plain/https://a.example/a.png`, { presets: new Map() }).plan;

const letterOf = ([red = 0, green = 0]: readonly number[]) =>
  red > 200 && green < 50 ? "w" : red > 200 && green > 200 ? "." : "?";

const white = (width: number, height: number) => paintPlain(width, height, "#ffffff");
const red = (width: number, height: number) => paintPlain(width, height, "#ff0000");

/** A white picture of this size with a red watermark, as letters. */
async function draw(options: string, picture: [number, number], watermark: [number, number]) {
  const drawn = await drawPixels(planOf(options), white(...picture), red(...watermark));
  return drawn.letters(letterOf);
}

describe("a watermark of imgproxy is placed", () => {
  it.each([
    ["ce", 4, 2],
    ["no", 4, 0],
    ["so", 4, 4],
    ["ea", 7, 2],
    ["we", 0, 2],
    ["nowe", 0, 0],
    ["noea", 7, 0],
    ["sowe", 0, 4],
    ["soea", 7, 4],
  ])("at %s", async (position, left, top) => {
    expect(await draw(`wm:1:${position}`, [10, 6], [3, 2])).toEqual(box(10, 6, left, top, 3, 2));
  });

  it.each([
    ["wm:1:nowe:2:1", 2, 1],
    ["wm:1:soea:2:1", 5, 3],
    ["wm:1:ce:-2:1", 2, 3],
    ["wm:1:no:1:1", 5, 1],
    // Shares of the picture.
    ["wm:1:nowe:0.3:0.5", 3, 3],
    ["wm:1:soea:0.2:0.2", 5, 3],
  ])("with the offsets of %s", async (options, left, top) => {
    expect(await draw(options, [10, 6], [3, 2])).toEqual(box(10, 6, left, top, 3, 2));
  });

  it("with the part that is inside of the picture", async () => {
    expect(await draw("wm:1:nowe:-2:-1", [10, 6], [3, 2])).toEqual(box(10, 6, 0, 0, 1, 1));
    expect(await draw("wm:1:soea:-2:-1", [10, 6], [3, 2])).toEqual(box(10, 6, 9, 5, 1, 1));
    expect(await draw("wm:1:ce", [3, 2], [10, 6])).toEqual(box(3, 2, 0, 0, 3, 2));
    // One pixel is always inside.
    expect(await draw("wm:1:nowe:500:500", [10, 6], [3, 2])).toEqual(box(10, 6, 9, 5, 1, 1));
  });

  it("after the picture was resized, with offsets of the density", async () => {
    const rows = await draw("rs:fit:6:3/dpr:2/wm:1:nowe:2:1", [24, 12], [3, 2]);
    expect(rows).toEqual(box(12, 6, 4, 2, 3, 2));
  });
});

describe("a watermark of imgproxy has a size", () => {
  it.each([
    [0.5, [10, 6], [20, 20], 3, 3],
    [0.5, [10, 6], [1, 1], 3, 3],
    [0.2, [10, 6], [20, 1], 2, 1],
    [1, [10, 6], [5, 3], 10, 6],
  ] as const)("of %f of the picture", async (scale, picture, watermark, width, height) => {
    const rows = await draw(`wm:1:nowe:0:0:${scale}`, [...picture], [...watermark]);
    expect(rows).toEqual(box(...picture, 0, 0, width, height));
  });

  it("that is not larger than a picture may be", async () => {
    const drawing = drawPixels(planOf("wm:1:ce:0:0:100"), white(1000, 1000), red(4, 4));
    await expect(drawing).rejects.toThrow(JobError);
  });
});

describe("a repeated watermark of imgproxy", () => {
  it("fills the picture from its center", async () => {
    const checked = await drawPixels(
      planOf("wm:1:re"),
      white(7, 3),
      red(1, 1).extend({ right: 1, background: "#0000ff" }),
    );
    expect(checked.letters(([r = 0]) => (r > 200 ? "r" : "b"))).toEqual([
      "brbrbrb",
      "brbrbrb",
      "brbrbrb",
    ]);
  });

  it.each([
    ["wm:1:re:2:1", ["........", "w..ww..w", "........"]],
    ["wm:1:re:0.25:0.34", ["........", "w..ww..w", "........"]],
    ["wm:1:re:1000000:1000000", ["........", "...ww...", "........"]],
  ])("has gaps: %s", async (options, rows) => {
    expect(await draw(options, [8, 3], [2, 1])).toEqual(rows);
  });

  it("is cut if it is larger than the picture", async () => {
    expect(await draw("wm:1:re", [3, 2], [10, 6])).toEqual(box(3, 2, 0, 0, 3, 2));
  });
});

describe("the pixels under a watermark", () => {
  it.each([
    [1, [255, 0, 0]],
    [0.5, [255, 126, 126]],
    [0.2, [255, 204, 204]],
  ])("are mixed with an opacity of %f", async (opacity, color) => {
    const drawn = await drawPixels(planOf(`wm:${opacity}:nowe`), white(4, 4), red(2, 2));
    expect([drawn.channels, drawn.at(0, 0), drawn.at(3, 3)]).toEqual([3, color, [255, 255, 255]]);
  });

  it("are mixed with the transparency of its image", async () => {
    const half = paintPlain(2, 2, "#ff000080");
    const drawn = await drawPixels(planOf("wm:0.5:nowe"), white(4, 4), half);
    expect(drawn.at(0, 0)).toEqual([255, 191, 191]);
  });

  it.each([
    ["gray", 1, 8],
    ["gray with transparency", 2, 8],
    ["16-bit", 3, 16],
    ["16-bit gray", 1, 16],
  ] as const)("of a %s picture get its color, and no others change", async (_, channels, bits) => {
    const paint = () => makeTestImage({ width: 8, height: 8, channels, bits });
    const plain = await drawPixels({}, paint());
    const marked = await drawPixels(planOf("wm:1:nowe"), paint(), red(2, 2));
    expect(marked.channels).toBe(channels === 2 ? 4 : 3);
    expect(marked.at(1, 1).slice(0, 3)).toEqual([255, 0, 0]);
    const [gray = 0, green = gray, blue = gray] =
      channels === 3 ? plain.at(7, 7) : [plain.at(7, 7)[0]];
    expect(marked.at(7, 7).slice(0, 3)).toEqual([gray, green, blue]);
  });

  it("stay transparent where there is no watermark", async () => {
    const drawn = await drawPixels(planOf("wm:1:nowe"), paintPlain(4, 4, "#00ff0000"), red(2, 2));
    expect([drawn.at(0, 0), drawn.at(3, 3)[3]]).toEqual([[255, 0, 0, 255], 0]);
  });
});

function box(
  width: number,
  height: number,
  left: number,
  top: number,
  boxWidth: number,
  boxHeight: number,
): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) =>
      x >= left && x < left + boxWidth && y >= top && y < top + boxHeight ? "w" : ".",
    ).join(""),
  );
}
