import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { placeInside, planGeometry } from "#lib/images/plan/geometry.ts";
import type { Size } from "#lib/images/plan/size.ts";

const planOf = (options: string) =>
  parseImgproxyPath(`${options}/plain/http://a.example/b`, { presets: new Map() }).plan;

const photo: Size = { width: 2040, height: 1360 };

describe("the size of a picture is that of imgproxy", () => {
  it.each([
    ["w:0", 2040, 1360],
    ["rs:fit:600:0", 600, 400],
    ["rs:fit:600:600", 600, 400],
    ["rs:fill:300:300", 300, 300],
    ["rs:fill:3000:1000", 2040, 1000],
    ["rs:fill-down:3000:1000", 2040, 680],
    ["rs:fill:3000:1000:1", 3000, 1000],
    ["rs:force:100:300", 100, 300],
    ["rs:auto:300:200", 300, 200],
    ["rs:auto:200:300", 200, 133],
    ["w:5000", 2040, 1360],
    ["w:200/h:100/mw:500", 200, 100],
    ["mw:3000", 3000, 2000],
    ["dpr:2/w:200/pd:5", 420, 287],
    ["z:0.5", 1020, 680],
    ["c:500:400/w:250", 250, 200],
    ["c:0.5:0.5", 1020, 680],
    ["rs:fit:600:600:0:1", 600, 600],
    ["rs:fit:400:800/exar:1", 400, 800],
    ["rs:fit:600:600/pd:10:20", 640, 420],
  ])("%s", (options, width, height) => {
    expect(planGeometry(photo, planOf(options)).canvas).toEqual({ width, height });
  });
});

describe("a place", () => {
  it.each([
    ["ce", { left: 50, top: 26 }],
    ["nowe:5:6", { left: 5, top: 6 }],
    ["soea:5:6", { left: 95, top: 44 }],
    ["no:0.1:0", { left: 70, top: 0 }],
    ["fp:0:1", { left: 0, top: 50 }],
  ])("%s", (gravity, expected) => {
    const outer = { width: 200, height: 100 };
    const inner = { width: 100, height: 50 };
    expect(placeInside(outer, inner, planOf(`g:${gravity}`).gravity, 1)).toEqual(expected);
  });
});

it("every plan has parts that are inside of what they are taken from", () => {
  const side = fc.integer({ min: 1, max: 5000 });
  const target = fc.integer({ min: 0, max: 5000 });
  const type = fc.constantFrom("fit", "fill", "fill-down", "force", "auto");
  const option = fc.constantFrom(
    "el:1",
    "ex:1",
    "exar:1",
    "pd:7",
    "c:0.3:0.4",
    "dpr:2",
    "z:0.1",
    "mw:300",
  );
  fc.assert(
    fc.property(
      side,
      side,
      type,
      target,
      target,
      fc.array(option, { maxLength: 4 }),
      (width, height, resize, w, h, options) => {
        const plan = planOf([`rs:${resize}:${w}:${h}`, ...options].join("/"));
        const { crop, scaled, result, canvas, offset } = planGeometry({ width, height }, plan);
        expect(crop.width).toBeLessThanOrEqual(width);
        expect(crop.height).toBeLessThanOrEqual(height);
        expect(result.width).toBeLessThanOrEqual(scaled.width);
        expect(result.height).toBeLessThanOrEqual(scaled.height);
        expect(offset.left + result.width).toBeLessThanOrEqual(canvas.width);
        expect(offset.top + result.height).toBeLessThanOrEqual(canvas.height);
        expect(
          Math.min(
            crop.width,
            crop.height,
            scaled.width,
            scaled.height,
            result.width,
            result.height,
          ),
        ).toBeGreaterThanOrEqual(1);
        expect(Math.min(offset.left, offset.top)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
