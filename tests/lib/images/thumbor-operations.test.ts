import { describe, expect, it } from "vitest";
import { describeOperations } from "#lib/images/thumbor/describe-operations.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";

const source = { url: "https://a.example/a.jpg", width: 800, height: 600, frameCount: 1 };

const describe800x600 = (path: string) =>
  describeOperations(source, parseThumborPath(`meta/${path}/${source.url}`).plan) as {
    thumbor: Record<string, unknown>;
  };

const crop = (left: number, top: number, right: number, bottom: number) => ({
  type: "crop",
  left,
  top,
  right,
  bottom,
});
const resize = (width: number, height: number) => ({ type: "resize", width, height });
const alignment = (x: number, y: number) => [
  { x, y, z: 1, height: 1, width: 1, origin: "alignment" },
];

describe("what thumbor does with a picture of 800 × 600 pixels", () => {
  it.each([
    ["0x0", [], [800, 600], alignment(400, 300)],
    ["400x300", [resize(400, 300)], [400, 300], alignment(400, 300)],
    // 800 × 600 is cut to the ratio first.
    ["300x300", [crop(100, 0, 700, 600), resize(300, 300)], [300, 300], alignment(400, 300)],
    ["300x300/left", [crop(0, 0, 600, 600), resize(300, 300)], [300, 300], alignment(0, 300)],
    ["400x100", [crop(0, 200, 800, 400), resize(400, 100)], [400, 100], alignment(400, 300)],
    ["400x100/bottom", [crop(0, 400, 800, 600), resize(400, 100)], [400, 100], alignment(400, 600)],
    ["fit-in/300x300", [resize(300, 225)], [300, 225], alignment(400, 300)],
    ["full-fit-in/300x300", [resize(400, 300)], [400, 300], alignment(400, 300)],
    ["adaptive-fit-in/300x600", [resize(400, 300)], [400, 300], alignment(400, 300)],
    ["fit-in/1000x1000", [], [800, 600], alignment(400, 300)],
    ["adaptive-fit-in/0x300", [resize(400, 300)], [400, 300], alignment(400, 300)],
    ["full-fit-in/origx300", [], [800, 600], alignment(400, 300)],
    ["300xorig", [crop(250, 0, 550, 600)], [300, 600], alignment(400, 300)],
    [
      "10x20:51x50/origx20",
      [crop(10, 20, 51, 50), crop(0, 5, 41, 25)],
      [41, 20],
      alignment(20, 15),
    ],
    ["fit-in/1x1", [resize(1, 1)], [1, 1], alignment(400, 300)],
    ["1000x0:2000x600/400x300", [resize(400, 300)], [400, 300], alignment(400, 300)],
    ["1000x300/filters:no_upscale()", [crop(0, 150, 800, 450)], [800, 300], alignment(400, 300)],
    [
      "10x20:110x220/-50x-100",
      [
        crop(10, 20, 110, 220),
        resize(50, 100),
        { type: "flip_horizontally" },
        { type: "flip_vertically" },
      ],
      [50, 100],
      alignment(50, 100),
    ],
    [
      "300x300/filters:focal(700x100:800x200)",
      [crop(200, 0, 800, 600), resize(300, 300)],
      [300, 300],
      [{ x: 750, y: 150, z: 10_000, height: 100, width: 100, origin: "Explicit" }],
    ],
    [
      "300x100/filters:extract_focal()/t.example/unsafe/240x220:480x260",
      [crop(0, 106, 800, 373), resize(300, 100)],
      [300, 100],
      [{ x: 360, y: 240, z: 9600, height: 40, width: 240, origin: "Original Extraction" }],
    ],
  ])("%s", (path, operations, [width, height], points) => {
    expect(describe800x600(path)).toEqual({
      thumbor: { source, operations, target: { width, height }, focal_points: points },
    });
  });
});
