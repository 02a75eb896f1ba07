import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { defaultPlan, type ImagePlan } from "#lib/images/plan/plan.ts";
import { toReadable } from "#lib/images/render/readable-source.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { mediaType } from "#lib/media/types.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const icon = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><circle r="9"/></svg>',
);
const pages = makePages([{ box: [0, 0, 200, 100] }, { box: [0, 0, 100, 200] }]);

/** The size that a source is drawn at before it is cut and resized. */
async function sizeOf(id: "svg" | "pdf", plan: ImagePlan): Promise<[number, number]> {
  const work = temporaryWorkFolder();
  const content = id === "svg" ? icon : pages;
  const file = work.input(id);
  await writeFile(file.path, content);
  const input = { ...file, type: mediaType(id), bytes: content.length, filename: `a.${id}` };
  const { path } = await toReadable(input, plan, work, new AbortController().signal);
  const { width, height } = await sharp(path).metadata();
  return [width, height];
}

const thumbor = (path: string) => parseThumborPath(`${path}/https://a.example/a`).plan;

describe("a drawing is as large as a URL of thumbor needs it:", () => {
  it.each([
    ["0x0", [24, 12]],
    ["2000x0", [2000, 1000]],
    ["fit-in/0x600", [1200, 600]],
    ["100x100", [200, 100]],
    // These are in pixels of the source.
    ["origx100", [24, 12]],
    ["1x1:9x9/2000x0", [24, 12]],
    ["2000x0/filters:focal(1x1:9x9)", [24, 12]],
  ] as const)("%s", async (path, size) => {
    expect(await sizeOf("svg", thumbor(path))).toEqual(size);
  });

  it("but no larger than a source may be", async () => {
    const [width, height] = await sizeOf("svg", thumbor("100x9000"));
    expect(width * height).toBeLessThanOrEqual(50_000_000);
    expect(width * height).toBeGreaterThan(40_000_000);
  });
});

it.each([
  ["w:600/dpr:2", [1200, 600]],
  ["rot:90/w:600", [1200, 600]],
  ["c:12:12/w:600", [1200, 600]],
  ["c:12:6/rot:90/w:600", [1200, 600]],
  ["w:10", [24, 12]],
  ["z:3", [72, 36]],
] as const)("a drawing is as large as a URL of imgproxy needs it: %s", async (options, size) => {
  const path = `${options}/plain/https://a.example/a`;
  const { plan } = parseImgproxyPath(path, { presets: new Map() });
  expect(await sizeOf("svg", plan)).toEqual(size);
});

it.each([
  ["0x0", 1240],
  ["1500x0", 3000],
  ["3000x0", 4000],
  ["100x0", 400],
  ["origx100", 1240],
  ["1x1:9x9/100x0", 1240],
  ["100x0/filters:focal(1x1:9x9)", 1240],
])("a page has twice the pixels that a URL of thumbor asks for: %s", async (path, width) => {
  const drawn = await sizeOf("pdf", thumbor(path));
  expect(Math.abs(drawn[0] - width)).toBeLessThanOrEqual(2);
});

it.each([
  [0, "landscape"],
  [1, "portrait"],
  [2, "portrait"],
  [99_999, "portrait"],
])("page %i of a PDF of two, counted from 0, is in %s", async (page, orientation) => {
  const [width, height] = await sizeOf("pdf", { ...defaultPlan, page });
  expect(width > height ? "landscape" : "portrait").toBe(orientation);
});
