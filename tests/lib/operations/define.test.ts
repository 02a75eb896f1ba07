import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkDefinitions, findFault } from "#lib/operations/check-definition.ts";
import { defineOperation } from "#lib/operations/define.ts";

const good = {
  id: "image/test" as `image/${string}`,
  title: "Test",
  summary: "Test an image.",
  accepts: ["png" as const],
  params: z.strictObject({ size: z.number().describe("Size of it.") }),
  example: { size: 1 },
  sample: { input: "logo.png" },
  produces: () => "png" as const,
  runsIn: "runner" as const,
  requires: [],
  run: async () => ({ outputs: [] }),
};

const watermark = { accepts: ["png" as const], required: true, description: "The image." };

it("a good definition gets its group, and the sample the parameters of the example", () => {
  expect(defineOperation(good)).toMatchObject({
    id: "image/test",
    group: "image",
    sample: { inputs: ["logo.png"], params: { size: 1 }, files: {} },
  });
});

it("a good definition has no fault, as it is written and as an entry of the catalogue", () => {
  expect(findFault(good)).toBeUndefined();
  expect(findFault(defineOperation(good))).toBeUndefined();
});

it("checkDefinitions names the first bad one", () => {
  const bad = { ...good, id: "image/bad" as const, title: "" };
  expect(() => checkDefinitions([good, bad])).toThrow("operation image/bad: title is missing");
  expect(() => checkDefinitions([good])).not.toThrow();
});

describe("findFault finds", () => {
  const rows: [what: string, change: object, message: string | RegExp][] = [
    ["an id that is not kebab-case", { id: "image/Bad_Id" }, "kebab-case"],
    ["an unknown group", { id: "images/test" }, "kebab-case"],
    ["no title", { title: undefined }, "title is missing"],
    ["an empty title", { title: "" }, "title is missing"],
    ["a summary without a period", { summary: "Test" }, "summary must end with a period"],
    ["a sample with too many files", { sample: { inputs: ["a.png", "b.png"] } }, "sample has 2"],
    ["a sample with too few files", { inputs: { min: 2, max: 3 } }, "sample has 1 files"],
    ["bounds that exclude all counts", { inputs: { min: 3, max: 2 } }, "inputs must have a min"],
    ["no accepted type", { accepts: [] }, "accepts must name at least one type"],
    ["an example that is not valid", { example: { size: "x" } }, "example is not valid"],
    ["no sample", { sample: undefined }, "sample is missing"],
    ["a sample of another type", { sample: { input: "photo.jpg" } }, "sample.input, photo.jpg"],
    [
      "sample parameters that are not valid",
      { sample: { inputs: ["logo.png"], params: { size: "x" } } },
      "sample.params is not valid",
    ],
    [
      "a file part in place of a parameter that is required",
      { files: { mark: { ...watermark, required: false, insteadOf: "size" } } },
      "file part mark stands in for size, no optional parameter",
    ],
    [
      "a file part in place of no parameter",
      { files: { mark: { ...watermark, required: false, insteadOf: "text" } } },
      "file part mark stands in for text, no optional parameter",
    ],
    ["a sample without a file part", { files: { watermark } }, "sample.files.watermark is missing"],
    [
      "a sample with an unknown file part",
      { sample: { inputs: ["logo.png"], files: { watermark: "logo.png" } } },
      "sample.files.watermark is no file part",
    ],
    [
      "a file part without a description",
      { files: { watermark: { ...watermark, description: "" } } },
      "file part watermark needs a description",
    ],
  ];
  it.each(rows)("%s", (_, change, message) => {
    // The rows hold what TypeScript would reject.
    expect(findFault({ ...good, ...(change as typeof good) })).toMatch(message);
  });
});

describe("findFault finds a parameter", () => {
  const faultOf = (params: z.core.$ZodLooseShape, more: object = {}) =>
    findFault({ ...good, params: z.strictObject(params), example: {}, ...more });
  const size = z.number().min(0).max(9).optional();

  it.each([
    ["without a description", { size }, "size needs a description"],
    ["whose description has no period", { size: size.describe("Size") }, "ends with a period"],
    ["named as a field of every request", { input: z.string().describe("It.") }, "every request"],
    ["with an unknown control", { size: meta(size, "knob") }, "unknown control, knob"],
    ["with a control for other types", { size: meta(size, "color") }, "color does not fit"],
    ["with regions that are no list", { size: meta(z.string(), "region") }, "region does not fit"],
    [
      "with a slider but no bounds",
      { size: meta(z.number().min(0).optional(), "slider") },
      "slider does not fit",
    ],
    ["with an unknown unit", { size: meta(size, "slider", "furlong") }, "unknown unit, furlong"],
  ])("%s", (_, params, message) => {
    expect(faultOf(params)).toMatch(message);
  });

  it("that has the name of a file part", () => {
    const params = { watermark_url: z.string().optional().describe("A URL.") };
    expect(faultOf(params, { files: { watermark } })).toMatch("name of a file part");
  });
});

function meta(field: z.ZodType, control: string, unit?: string): z.ZodType {
  // What a typing mistake in JavaScript would be.
  return field.meta({ description: "Size of it.", control, unit } as z.GlobalMeta);
}
