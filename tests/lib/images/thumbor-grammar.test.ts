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
    ["-300x-200", { width: 300, height: 200, flipX: true, flipY: true }],
    ["origx200", { height: 200 }],
    ["fit-in/300x200", { resize: "fit", enlarge: false, width: 300, height: 200 }],
    ["full-fit-in/300x200", { enlarge: false, width: 300, height: 200 }],
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
    ["filters:blur(7,3):rotate(90)", { blur: 3, rotate: 270 }],
    [
      "filters:grayscale():brightness(10)",
      { colors: { brightness: 10, contrast: 0, saturation: 1, grayscale: true } },
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
    expect(parseThumborPath(`meta/10x10/${source}`).isInfo).toBe(true);
  });

  it("place watermarks from each corner", () => {
    const { plan } = parseThumborPath(
      `filters:watermark(https://a.example/w.png,-10,20,40)/${source}`,
    );
    expect(plan.watermark).toMatchObject({ position: "noea", x: 10, y: 20, opacity: 0.6 });
  });
});

it.each([
  "",
  "10x10/",
  "filters:blur(1)",
  "filters:unknown(1)/a",
  "filters:quality(0)/a",
  "filters:rotate(45)/a",
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
