import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PictureError } from "#lib/images/plan/errors.ts";
import { defaultPlan, type ImagePlan } from "#lib/images/plan/plan.ts";
import type { Transform } from "#lib/images/plan/transform.ts";
import { filterNames } from "#lib/images/thumbor/filters.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";

const source = "https://example.com/photo.jpg";

const filling: Transform = {
  width: 0,
  height: 0,
  fit: "fill",
  isAdaptive: false,
  noUpscale: false,
  trim: null,
  box: null,
  horizontal: "center",
  vertical: "middle",
  isSmart: false,
  focalPoints: [],
};
const unchanged: ImagePlan = { ...defaultPlan, transform: filling };

describe("paths", () => {
  const transforms: readonly (readonly [string, Partial<Transform>])[] = [
    ["300x200", { width: 300, height: 200 }],
    ["300x0", { width: 300 }],
    ["x200", { height: 200 }],
    ["origx200", { width: "orig", height: 200 }],
    ["fit-in/300x200", { fit: "fit-in", width: 300, height: 200 }],
    ["full-fit-in/300x200", { fit: "full-fit-in", width: 300, height: 200 }],
    ["adaptive-fit-in/300x200", { fit: "fit-in", isAdaptive: true, width: 300, height: 200 }],
    [
      "10x20:110x220/300x200",
      { box: { left: 10, top: 20, right: 110, bottom: 220 }, width: 300, height: 200 },
    ],
    ["0x0:0x0/300x200", { width: 300, height: 200 }],
    ["300x200/left/top", { width: 300, height: 200, horizontal: "left", vertical: "top" }],
    ["300x200/smart", { width: 300, height: 200, isSmart: true }],
    ["trim/300x200", { trim: { corner: "top-left", tolerance: 0 }, width: 300, height: 200 }],
    ["trim:bottom-right:20", { trim: { corner: "bottom-right", tolerance: 20 } }],
    ["trim:20", { trim: { corner: "top-left", tolerance: 20 } }],
    ["filters:no_upscale()", { noUpscale: true }],
    ["filters:stretch()", { fit: "stretch" }],
    ["fit-in/9x9/filters:stretch()", { fit: "fit-in", width: 9, height: 9 }],
    [
      "filters:focal(10x20:31x40):focal(0x0:0x0)",
      { focalPoints: [{ x: 20, y: 30, width: 21, height: 20, origin: "Explicit" }] },
    ],
  ];
  it.each(transforms)("%s", (path, expected) => {
    const request = parseThumborPath(`${path}/${source}`);
    expect(request.plan).toEqual({ ...unchanged, transform: { ...filling, ...expected } });
    expect(request.source).toBe(source);
  });

  const rows: readonly (readonly [string, Partial<ImagePlan>])[] = [
    ["-0x-0", { filters: [{ name: "flip", horizontal: true, vertical: true }] }],
    ["filters:quality(70):format(webp)", { quality: 70, format: "webp" }],
    ["filters:format(heif)", { format: "heic" }],
    ["filters:autojpg():cover()", { autoJpeg: true, isStill: true }],
    ["filters:autojpg(false)", {}],
    ["filters:strip_exif()", { keepCopyright: false }],
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
      "filters:fill(Tomato,1):background_color(f008)",
      {
        filters: [
          { name: "fill", by: [255, 99, 71, 255], fillsTransparent: true },
          { name: "background_color", color: [255, 0, 0, 136] },
        ],
      },
    ],
    [
      "filters:frame(a.example/frame.9.png)",
      { filters: [{ name: "frame", url: "http://a.example/frame.9.png" }] },
    ],
  ];
  it.each(rows)("%s", (path, expected) => {
    expect(parseThumborPath(`${path}/${source}`).plan).toEqual({ ...unchanged, ...expected });
  });

  it.each([
    [`t.example/unsafe/240x220:480x260/${source}`, source],
    [
      `https://t.example:8888/t/ik_1/si-gn_ed=/meta/30x20/left/filters:blur(1)/t.example/unsafe/240x220:480x260/10x10/${source}`,
      source,
    ],
    [`http:/t.example/unsafe/240x220:480x260/https%3A%2F%2Fexample.com%2Fphoto.jpg`, source],
    ["t.example/unsafe/240x220:480x260/upload_1", "upload_1"],
  ])("extract the focal point and the source of %s", (inner, original) => {
    const request = parseThumborPath(`300x100/filters:extract_focal()/${inner}`);
    expect(request.source).toBe(original);
    expect(request.plan.transform?.focalPoints).toEqual([
      { x: 360, y: 240, width: 240, height: 40, origin: "Original Extraction" },
    ]);
  });

  it.each([source, "https://example.com/unsafe/300x200/photo.jpg"])(
    "keep a source that no part is cut out of: %s",
    (inner) => {
      const request = parseThumborPath(`300x100/filters:extract_focal()/${inner}`);
      expect(request).toEqual(parseThumborPath(`300x100/${inner}`));
    },
  );

  it("may say how long clients keep the picture", () => {
    const { delivery } = parseThumborPath(`filters:max_age(60)/${source}`);
    expect(delivery.maxAgeSeconds).toBe(60);
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
    "sharpen(2)",
    "red_eye()",
  ])("ignore a filter that thumbor ignores: %s", (filter) => {
    if (filter.length > 16_000) return expect(() => parse(filter)).toThrow(PictureError);
    expect(parse(filter).plan).toEqual(unchanged);
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
  "filters:background_color(12345)/a",
  "filters:watermark(a.png,0,0,0,-5)/a",
  `filters:${"grayscale():".repeat(30)}grayscale()/a`,
  `filters:${"extract_focal():".repeat(30)}extract_focal()/a`,
  `filters:${[1, 2, 3, 4, 5, 6].map((n) => `frame(${n}.png)`).join(":")}/a`,
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
