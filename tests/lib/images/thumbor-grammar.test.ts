import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PictureError } from "#lib/images/plan/errors.ts";
import { defaultPlan, type ImagePlan } from "#lib/images/plan/plan.ts";
import { filterNames } from "#lib/images/thumbor/filters.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";

const source = "https://example.com/photo.jpg";
const filled = { ...defaultPlan, resize: "fill", enlarge: true } as const;

describe("paths", () => {
  const rows: readonly (readonly [string, Partial<ImagePlan>])[] = [
    ["300x200", { width: 300, height: 200 }],
    ["300x0", { width: 300 }],
    [
      "-300x-200",
      { width: 300, height: 200, filters: [{ name: "flip", horizontal: true, vertical: true }] },
    ],
    ["origx200", { height: 200 }],
    ["fit-in/300x200", { resize: "fit", enlarge: false, width: 300, height: 200 }],
    ["full-fit-in/300x200", { keepsWhole: true, width: 300, height: 200 }],
    [
      "adaptive-fit-in/300x200",
      { resize: "fit", enlarge: false, isAdaptive: true, width: 300, height: 200 },
    ],
    [
      "10x20:110x220/300x200",
      { box: { left: 10, top: 20, right: 110, bottom: 220 }, width: 300, height: 200 },
    ],
    ["300x200/left/top", { width: 300, height: 200, gravity: { type: "nowe", x: 0, y: 0 } }],
    ["300x200/right", { width: 300, height: 200, gravity: { type: "ea", x: 0, y: 0 } }],
    ["300x200/smart", { width: 300, height: 200, gravity: { type: "sm", x: 0, y: 0 } }],
    [
      "trim/300x200",
      {
        trim: { threshold: 0, color: null, equalHorizontal: false, equalVertical: false },
        width: 300,
        height: 200,
      },
    ],
    [
      "300x200/filters:quality(70):format(webp)",
      { width: 300, height: 200, quality: 70, format: "webp" },
    ],
    [
      "filters:blur(7,3):rotate(90):grayscale():brightness(10)",
      {
        filters: [
          { name: "blur", radius: 7, sigma: 3 },
          { name: "rotate", angle: 270 },
          { name: "grayscale" },
          { name: "brightness", value: 10 },
        ],
      },
    ],
    ["filters:blur(200)", { filters: [{ name: "blur", radius: 150, sigma: 200 }] }],
    [
      "filters:convolution(1;-2.5;1,3,false)",
      { filters: [{ name: "convolution", kernel: [1, -2.5, 1], columns: 3, divisor: 1 }] },
    ],
    [
      "filters:curve([(0,0),(255,255)],[(1,2)],[(3,4)],[(5,6)])",
      {
        filters: [
          {
            name: "curve",
            all: [
              [0, 0],
              [255, 255],
            ],
            channels: [[[1, 2]], [[3, 4]], [[5, 6]]],
          },
        ],
      },
    ],
    [
      "filters:focal(10x20:31x40):focal(0x0:0x0)",
      { focalPoints: [{ x: 20, y: 30, width: 21, height: 20 }] },
    ],
    [
      "fit-in/300x300/filters:fill(white)",
      {
        resize: "fit",
        enlarge: false,
        width: 300,
        height: 300,
        background: { r: 255, g: 255, b: 255 },
        extend: { enabled: true, gravity: defaultPlan.gravity },
        filters: [{ name: "fill", by: "background" }],
      },
    ],
    ["filters:no_upscale():strip_exif()", { enlarge: false, keepCopyright: false }],
  ];
  it.each(rows)("%s", (path, expected) => {
    const request = parseThumborPath(`${path}/${source}`);
    expect(request.plan).toEqual({ ...filled, ...expected });
    expect(request.source).toBe(source);
  });

  it("may have a source without a scheme", () => {
    expect(parseThumborPath("10x10/example.com/a.jpg").source).toBe("http://example.com/a.jpg");
  });

  it("may ask for the size and format only", () => {
    expect(parseThumborPath(`meta/10x10/${source}`).info).toBe("operations");
  });

  it("place watermarks from each corner", () => {
    const { plan } = parseThumborPath(
      `filters:watermark('https://a.example/w.png?a,b',-10,20p,40,none,25)/${source}`,
    );
    expect(plan.filters).toEqual([
      {
        name: "watermark",
        url: "https://a.example/w.png?a,b",
        x: { offset: 10, unit: "px", fromEnd: true },
        y: { offset: 20, unit: "percent", fromEnd: false },
        transparency: 40,
        maxWidth: 0,
        maxHeight: 0.25,
      },
    ]);
  });

  it.each([
    "unknown(1)",
    "quality(0)",
    "quality(a)",
    "rotate(45)",
    "blur(0)",
    "blur(1,2,3)",
    "format(exe)",
    "proportion(2)",
    "noise(1000000000000)",
    "rgb(1,2)",
    "grayscale(1)",
    "watermark(a.png,left,0,0)",
    `convolution(${"1;".repeat(1_000_000)}1,1,true)`,
    `curve(${"[(1,1)],".repeat(3)}[${"(1,2),".repeat(5000)}])`,
    "focal(1x1)",
  ])("ignore a filter that thumbor ignores: %s", (filter) => {
    if (filter.length > 16_000) return expect(() => parse(filter)).toThrow(PictureError);
    expect(parse(filter).plan).toEqual(filled);
  });
});

const parse = (filter: string) => parseThumborPath(`filters:${filter}/${source}`);

it.each([
  "",
  "10x10/",
  "filters:blur(1)",
  "filters:convolution(1;2,2)/a",
  "filters:convolution(1;2;3;4,2)/a",
  `filters:convolution(${"1;".repeat(500)}1,1)/a`,
  "filters:curve([(9,0),(5,5)],[(0,0)],[(0,0)],[(0,0)])/a",
  "filters:round_corner(5,256,0,0)/a",
  "filters:colorize(1,1,1,red)/a",
  "filters:fill(nocolor)/a",
  "filters:watermark(a.png,0,0,0,-5)/a",
  `filters:${"grayscale():".repeat(31)}grayscale()/a`,
  `filters:${[1, 2, 3, 4, 5, 6].map((n) => `watermark(${n}.png,0,0,0)`).join(":")}/a`,
])("%j is rejected", (path) => {
  expect(() => parseThumborPath(path)).toThrow(PictureError);
});

it("no path has another error", () => {
  const filter = fc
    .tuple(fc.constantFrom(...filterNames, "x"), fc.string({ maxLength: 8 }))
    .map(([name, args]) => `${name}(${args})`);
  const path = fc
    .tuple(fc.string({ maxLength: 12 }), fc.array(filter, { maxLength: 3 }), fc.webUrl())
    .map(([start, filters, url]) => `${start}/filters:${filters.join(":")}/${url}`);
  fc.assert(
    fc.property(path, (text) => {
      try {
        parseThumborPath(text);
      } catch (error) {
        expect(error).toBeInstanceOf(PictureError);
      }
    }),
    { numRuns: 1000 },
  );
});
