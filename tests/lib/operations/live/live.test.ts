import { describe, expect, it } from "vitest";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { estimateBytes, fullSize, growthExponent } from "#lib/operations/live/full-size.ts";
import { describeLiveObstacle, liveKindOf } from "#lib/operations/live/live-kind.ts";
import { scaleParams } from "#lib/operations/live/scale-params.ts";

function find(id: string): Operation {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no ${id}`);
  return operation;
}

describe("which operations have a live preview", () => {
  it("images have one if they take at most one image and write one", () => {
    const live = operations.filter((one) => one.group === "image" && liveKindOf(one));
    expect(live.map(({ id }) => id.slice("image/".length)).sort()).toEqual([
      "adjust",
      "barcode",
      "blur",
      "compress",
      "convert",
      "crop",
      "flip",
      "frames",
      "pad",
      "pixelate",
      "qr-code",
      "resize",
      "rotate",
      "round-corners",
      "sharpen",
      "thumbnail",
      "trim",
      "watermark-text",
    ]);
  });

  it.each([
    ["video/crop", "frame"],
    ["video/reverse", undefined],
    ["document/watermark-pdf", "page"],
    ["document/merge-pdf", undefined],
    ["image/watermark-image", undefined],
    ["image/palette", undefined],
    ["audio/volume", undefined],
  ])("%s: %s", (id, kind) => {
    expect(liveKindOf(find(id))).toBe(kind);
  });

  it.each([
    ["image/compress", { max_bytes: 20_000 }, "max_bytes"],
    ["document/protect-pdf", { password: "x" }, "password"],
    ["image/compress", { quality: 50 }, undefined],
  ])("%s with %j", (id, params, named) => {
    const message = describeLiveObstacle(find(id), params);
    if (named === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(`\`${named}\``);
  });
});

describe("parameters of a smaller copy", () => {
  it.each([
    ["image/resize", { width: 1000, fit: "cover" }, { width: 128, fit: "cover" }],
    [
      "image/crop",
      { left: 99, top: 0, width: 1001, height: 500 },
      { left: 12, top: 0, width: 128, height: 64 },
    ],
    ["image/round-corners", { radius: 40, circle: false }, { radius: 5.12, circle: false }],
    ["image/round-corners", { radius: "40" }, { radius: 5.12 }],
    ["image/round-corners", { radius: "10%" }, { radius: "10%" }],
    [
      "image/pixelate",
      { region: "100,200,400,800", size: 100 },
      { region: "12,25,51,102", size: 12 },
    ],
    ["image/pixelate", { region: ["0,0,10,10", "8,8,1,1"] }, { region: ["0,0,1,1", "1,1,1,1"] }],
    ["image/convert", { format: "webp", quality: 80 }, { format: "webp", quality: 80 }],
    ["image/rotate", { angle: 30 }, { angle: 30 }],
    ["video/overlay-text", { fontsize: 100, x: 10 }, { fontsize: 12, x: 1 }],
    ["document/page-numbers", { font_size: 12, margin: 30 }, { font_size: 12, margin: 30 }],
  ])("%s with %j", (id, params, scaled) => {
    expect(scaleParams(find(id), params, 0.128).params).toEqual(scaled);
    expect(scaleParams(find(id), params, 1).params).toEqual(params);
  });

  it("is approximate where the scaled value is less than the least one", () => {
    const blur = find("image/blur");
    const { min } = { min: 0.3 };
    expect(scaleParams(blur, { sigma: 20 }, 0.1)).toEqual({
      params: { sigma: 2 },
      isApproximate: false,
    });
    expect(scaleParams(find("image/watermark-text"), { font_size: 20 }, 0.1)).toEqual({
      params: { font_size: 4 },
      isApproximate: true,
    });
    expect(Number(scaleParams(blur, { sigma: 0.5 }, 0.1).params.sigma)).toBeGreaterThanOrEqual(min);
  });

  it("keeps every scaled region inside of the copy", () => {
    const [full, scale] = [4000, 512 / 4000];
    for (let left = 0; left < full; left += 37) {
      const { params } = scaleParams(find("image/crop"), { left, width: full - left }, scale);
      expect(Number(params.left) + Number(params.width)).toBeLessThanOrEqual(512);
    }
  });
});

describe("the size of the full output", () => {
  const source = { width: 4000, height: 2667 };
  const scale = 512 / 4000;

  it.each([
    ["image/adjust", {}, { width: 512, height: 341 }, source],
    ["image/resize", { width: 800 }, { width: 102, height: 68 }, { width: 800, height: 533 }],
    [
      "image/crop",
      { width: 1001, height: 333 },
      { width: 128, height: 42 },
      { width: 1001, height: 333 },
    ],
    ["image/rotate", { angle: 90 }, { width: 341, height: 512 }, { width: 2667, height: 4000 }],
    ["image/pad", {}, { width: 600, height: 600 }, { width: 4688, height: 4688 }],
  ])("%s with %j", (id, params, output, full) => {
    expect(fullSize(output, source, scale, find(id), params)).toEqual(full);
  });

  it("is that of the output if the file itself is small", () => {
    const size = { width: 91, height: 33 };
    expect(fullSize(size, { width: 300, height: 200 }, 1, find("image/trim"), {})).toEqual(size);
  });

  it("estimates bytes by how those of the image grow with its pixels", () => {
    const small = { width: 500, height: 500, bytes: 50_000 };
    const full = { width: 2000, height: 2000, bytes: 400_000 };
    const exponent = growthExponent(small, full);
    expect(exponent).toBeCloseTo(0.75, 5);
    expect(estimateBytes(25_000, small, full, exponent)).toBe(200_000);
    expect(growthExponent(small, small)).toBe(1);
    expect(growthExponent(small, { ...full, bytes: 50_000 })).toBe(0.4);
  });
});
