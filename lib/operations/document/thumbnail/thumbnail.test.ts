import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { documentThumbnail } from "#lib/operations/document/thumbnail/index.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

let files = 0;

async function run(
  type: MediaTypeId,
  content: Buffer | string,
  params: Record<string, unknown> = {},
) {
  const path = join(videoFolder(), `thumbnail-${++files}.${type}`);
  writeFileSync(path, content);
  const { outputs } = await runOperation(documentThumbnail, { path, type }, params);
  const [image] = outputs;
  const found = await sharp(image?.path).metadata();
  expect([outputs.length, found.format]).toEqual([1, "png"]);
  expect([found.width, found.height]).toEqual([image?.width, image?.height]);
  return { path: image?.path ?? "", width: found.width, height: found.height };
}

/** The colors of the image, averaged: red, green and blue. */
async function meanOf(path: string): Promise<number[]> {
  const { channels } = await sharp(path).stats();
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
}

const red = { content: "1 0 0 rg 0 0 999 999 re f" };
const blue = { content: "0 0 1 rg 0 0 999 999 re f" };

test("the first page of a PDF, 400 pixels wide, and another page of another width", async () => {
  const pdf = makePages([red, { ...blue, more: "/Rotate 90 /CropBox [0 0 150 200]" }]);
  const first = await run("pdf", pdf);
  expect([first.width, first.height, await meanOf(first.path)]).toEqual([400, 267, [255, 0, 0]]);
  const second = await run("pdf", pdf, { page: 2, width: 64 });
  expect([second.width, second.height, await meanOf(second.path)]).toEqual([64, 48, [0, 0, 255]]);
});

test("a page that is very long or very large gets an image of a possible size", async () => {
  const { width, height } = await run("pdf", makePages([{ ...red, box: [0, 0, 10, 14_400] }]));
  expect([width, height]).toEqual([11, 15_826]);
  const large = await run("pdf", makePages([{ ...red, box: [0, 0, 14_400, 14_400] }]));
  expect([large.width, large.height]).toEqual([400, 400]);
});

test("a page of an office document", async () => {
  const text = `one\n${"\n".repeat(70)}second page ${"█".repeat(400)}`;
  const first = await run("txt", text);
  const second = await run("txt", text, { page: 2 });
  expect(first.height / first.width).toBeCloseTo(Math.SQRT2, 1);
  const white = (await meanOf(first.path))[0] ?? 0;
  const dark = (await meanOf(second.path))[0] ?? 0;
  expect(white).toBeGreaterThan(245);
  expect(dark).toBeLessThan(white - 5);
  await expect(run("txt", text, { page: 3 })).rejects.toMatchObject({
    code: "empty",
    message: "The document has no page 3.",
  });
});

test("an HTML page", async () => {
  const html = "<body style='background:#00f;height:3000px;print-color-adjust:exact'>";
  const { path, width } = await run("html", html, { page: 2, width: 100 });
  const [r = 0, , b = 0] = await meanOf(path);
  expect([width, r < 100, b > 200]).toEqual([100, true, true]);
});

test("a missing page, a damaged file and parameters out of bounds", async () => {
  await expect(run("pdf", makePages([red]), { page: 2 })).rejects.toMatchObject({
    code: "empty",
    message: "The document has no page 2. Its last page is 1.",
  });
  await expect(run("pdf", "%PDF-1.7\nx")).rejects.toMatchObject({ code: "corrupt" });
  for (const params of [{ width: 15 }, { width: 4097 }, { page: 0 }, { page: 1.5 }])
    expect(documentThumbnail.params.safeParse(params).success).toBe(false);
});
