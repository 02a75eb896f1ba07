import { describe, expect, it } from "vitest";
import { type ComparedResult, curveOf } from "#components/playground/compare/result.ts";
import {
  comparableFields,
  firstField,
  parseValues,
  proposedValues,
  settingsOf,
  settingsProblem,
} from "#components/playground/compare/settings.ts";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

function form(id: string) {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no ${id}`);
  return describeOperation(operation);
}

const convert = form("image/convert");

describe("which settings are compared", () => {
  it.each([
    ["image/convert", "quality"],
    ["video/transcode", "quality"],
    ["audio/convert", "format"],
  ])("%s: %s first", (id, name) => {
    expect(firstField(form(id))?.name).toBe(name);
  });

  it("choices and numbers with bounds, but neither texts nor times", () => {
    const names = comparableFields(form("video/gif")).map(({ name }) => name);
    expect(names).toContain("fps");
    expect(names).not.toContain("start");
    expect(comparableFields(form("image/watermark-text")).map(({ name }) => name)).not.toContain(
      "text",
    );
  });

  it("proposes values over the useful range, each once", () => {
    const quality = convert.fields.find(({ name }) => name === "quality");
    const format = convert.fields.find(({ name }) => name === "format");
    expect(quality && proposedValues(quality, 5)).toEqual(["35", "50", "65", "80", "95"]);
    expect(format && proposedValues(format, 3)).toHaveLength(3);
    expect(parseValues(" 40, 60 60,,80 ")).toEqual(["40", "60", "80"]);
  });

  it("combines the values of two parameters", () => {
    const axes = [
      { name: "format", values: ["webp", "avif"] },
      { name: "quality", values: ["50", "80"] },
    ];
    expect(settingsOf(axes)).toEqual([
      { format: "webp", quality: "50" },
      { format: "webp", quality: "80" },
      { format: "avif", quality: "50" },
      { format: "avif", quality: "80" },
    ]);
  });

  it.each([
    [["50", "80"], undefined],
    [["50"], "at least two"],
    [[], "at least one"],
    [["50", "101"], "`quality` must be"],
    [["50", "x"], "`quality` must be"],
    [["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "at most 9"],
  ])("quality %j", (values, problem) => {
    const found = settingsProblem(convert, [{ name: "quality", values }]);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe("the curve", () => {
  const result = (bytes: number, ssim: number | null): ComparedResult => ({
    setting: { quality: String(bytes) },
    bytes,
    ssim,
    lufs: null,
    engineMs: 10,
  });

  it("goes from the least to the most similar setting, and marks those that no other one beats", () => {
    const points = curveOf([
      result(300, 0.99),
      result(100, 0.9),
      result(250, 0.85),
      result(50, null),
    ]);
    expect(points.map(({ result: { bytes }, isBest }) => [bytes, isBest])).toEqual([
      [250, false],
      [100, true],
      [300, true],
    ]);
    expect(points[0]).toMatchObject({ x: 0 });
    expect(points.at(-1)).toMatchObject({ x: 1, y: 1 });
  });

  it("needs two settings whose similarity is known", () => {
    expect(curveOf([result(100, 0.9), result(200, null)])).toEqual([]);
  });
});
