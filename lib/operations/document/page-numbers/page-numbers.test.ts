import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { readWords } from "#tests/samples/pdf/pdf.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { pageNumbers } from "./index.ts";

async function number(sample: Sample, params: object = {}): Promise<string> {
  const { outputs } = await runOperation(pageNumbers, sample, { ...params });
  return outputs[0]?.path ?? "";
}

it("prints a number on each page as text, and everything else stays", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 3 }));
  const path = await number(sample, { position: "top" });
  const { text, objects: _, ...read } = readRichPdf(path);
  const { text: __, objects: ___, ...before } = readRichPdf(sample.path);
  expect(read).toEqual(before);
  const numbers = text.map((page) => /\d\/\d/.exec(page.replace(/\s/g, ""))?.[0]);
  expect(numbers).toEqual(["1/3", "2/3", "3/3"]);
  // One font for all pages.
  const fonts = execProgram("pdffonts", [path], { encoding: "utf8" });
  expect(fonts.match(/NotoSans/g)).toHaveLength(1);
});

it.each([
  ["", 290, 190],
  ["/Rotate 90", 190, 290],
  ["/Rotate 270 /CropBox [20 10 280 190]", 180, 270],
])("is upright at the bottom right of a page with %j", async (attributes, right, bottom) => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1, page: () => attributes }));
  const params = { format: "Nº{page}", position: "bottom-right", margin: 10, font_size: 12 };
  const path = await number(sample, params);
  // Poppler reports words in the coordinates of the upright page before it is cropped.
  const word = readWords(path).find(({ text }) => text === "Nº1");
  expect(word?.right).toBeCloseTo(right, -0.5);
  expect((word?.bottom ?? 0) - bottom).toBeLessThan(3);
  expect(bottom - (word?.bottom ?? 0)).toBeLessThan(6);
  expect((word?.right ?? 0) - (word?.left ?? 0)).toBeGreaterThan(15);
});

it("is measured in points on a page with another unit", async () => {
  const attributes = "/UserUnit 2 /Rotate 90";
  const sample = await toSample("pdf", makeRichPdf({ pages: 1, page: () => attributes }));
  const params = { position: "bottom-right", margin: 20, font_size: 24, format: "Nº{page}" };
  // Poppler ignores the unit: half as large in its coordinates.
  const word = readWords(await number(sample, params)).find(({ text }) => text === "Nº1");
  const plain = await toSample("pdf", makeRichPdf({ pages: 1, page: () => "/Rotate 90" }));
  const halved = { ...params, margin: 10, font_size: 12 };
  const expected = readWords(await number(plain, halved)).find(({ text }) => text === "Nº1");
  expect(word?.right).toBeCloseTo(190, -0.5);
  expect(word?.left).toBeCloseTo(expected?.left ?? 0, 0);
  expect(word?.top).toBeCloseTo(expected?.top ?? 0, -0.5);
});

it.each([
  ["Confidential - Example Company Limited - Quarterly report - page {page} of {pages}", 410],
  ["WWWW {page} 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 Ⅷ", 505],
])("has its font size if the text fits: %s", async (format, expected) => {
  const letter = { pages: 2, page: () => "/MediaBox [0 0 612 792]" };
  const sample = await toSample("pdf", makeRichPdf(letter));
  const path = await number(sample, { format, font_size: 12, start: 9, position: "top" });
  const words = readWords(path).filter(({ top }) => top < 60);
  const begin = words.findLastIndex(({ text }) => text === format.split(" ")[0]);
  const [first, second] = [words.slice(0, begin), words.slice(begin)].map((line) => {
    const left = Math.min(...line.map((word) => word.left));
    return { left, width: Math.max(...line.map((word) => word.right)) - left };
  });
  expect(first?.width).toBeCloseTo(expected, -1);
  expect((first?.left ?? 0) + (first?.width ?? 0) / 2).toBeCloseTo(306, -0.5);
  // The other number has one more digit.
  expect((second?.width ?? 0) - (first?.width ?? 0)).toBeGreaterThan(6);
});

it.each(["top-left", "top", "top-right"])(
  "is as wide as the page at the %s if the text does not fit",
  async (position) => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
    const format = `A${"W".repeat(40)} {page}Z`;
    const words = readWords(await number(sample, { format, position, font_size: 30 }));
    const [long, short] = words;
    expect([long?.text, short?.text]).toEqual([format.slice(0, 41), "1Z"]);
    expect(long?.left).toBeGreaterThan(4);
    expect(short?.right).toBeLessThan(296);
    expect((short?.right ?? 0) - (long?.left ?? 0)).toBeGreaterThan(280);
  },
);

it("starts at any number, on selected pages, in any script, without markup", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 3 }));
  const params = { format: "<b>第 {page} 頁&amp;{pages}", start: 0, pages: "2-", position: "top" };
  const { text } = readRichPdf(await number(sample, params));
  expect(text.map((page) => page.split("\n")[0]?.replace(/\s/g, ""))).toEqual([
    "Page1",
    "<b>第1頁&amp;2",
    "<b>第2頁&amp;2",
  ]);
});

it("fails if no page is selected; wrong values are rejected", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
  await expect(number(sample, { pages: "2-" })).rejects.toMatchObject({ code: "empty" });
  for (const params of [{ format: "" }, { start: 0.5 }, { font_size: 1 }, { position: "middle" }]) {
    expect(pageNumbers.params.safeParse(params).success).toBe(false);
  }
});
