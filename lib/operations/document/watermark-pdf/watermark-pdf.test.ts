import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findChanges, makeTestImage, type Pixels, toSample } from "#tests/samples/images/images.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { watermarkPdf } from "./index.ts";

/** A page as a viewer shows it, at one pixel per point. */
async function render(path: string, page = 1): Promise<Pixels> {
  const range = ["-f", `${page}`, "-l", `${page}`];
  const png = execProgram("pdftoppm", ["-png", "-cropbox", "-r", "72", ...range, path]);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { samples: [...data], ...info } as unknown as Pixels;
}

async function watermark(sample: Sample, params: object, files: Record<string, Sample> = {}) {
  const run = await runOperation(watermarkPdf, sample, { ...params }, files);
  const path = run.outputs[0]?.path ?? "";
  execProgram("qpdf", ["--check", path]);
  return path;
}

/** With the spaces between words that readers see. */
function readText(path: string): string {
  return execProgram("pdftotext", [path, "-"]).toString().replaceAll(/\s+/g, " ");
}

const noise = async () =>
  toSample("png", await makeTestImage({ width: 80, height: 40 }).png().toBuffer());

it("a PDF may be encoded in several steps", async () => {
  const content = deflateSync("BT /F1 24 Tf 20 100 Td (Sealed) Tj ET").toString("hex");
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 ${font} >> >> >>`,
    pdfStream("/Filter [/ASCIIHexDecode /FlateDecode]", `${content}>`),
  ];
  const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const files = { watermark: await toSample("pdf", makePdfBytes({ objects })) };
  expect(readText(await watermark(sample, {}, files))).toContain("Sealed");
});

describe("an image", () => {
  it.each([
    ["", 300, 200],
    ["/Rotate 90", 200, 300],
    ["/Rotate 180 /CropBox [50 20 250 180]", 200, 160],
    ["/Rotate 270 /MediaBox [300 200 -50 -100]", 300, 350],
  ])("is upright at the top right of a page with %j", async (attributes, width, height) => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1, page: () => attributes }));
    const files = { watermark: await noise() };
    const params = { position: "top-right", opacity: 1, scale: 0.4 };
    const before = await render(sample.path);
    const after = await render(await watermark(sample, params, files));
    expect([after.width, after.height]).toEqual([width, height]);
    const margin = 0.03 * Math.min(width, height);
    const area = findChanges(before, after);
    expect(area?.right).toBeCloseTo(width - margin, -0.5);
    expect(area?.top).toBeCloseTo(margin, -0.5);
    expect((area?.right ?? 0) - (area?.left ?? 0)).toBeCloseTo(0.4 * width, -0.5);
    expect((area?.bottom ?? 0) - (area?.top ?? 0)).toBeCloseTo(0.2 * width, -0.5);
  });

  it("that is turned stays on the page; opacity is a share of its color", async () => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
    const black = { width: 200, height: 20, channels: 3, background: "#000" } as const;
    const files = {
      watermark: await toSample("png", await sharp({ create: black }).png().toBuffer()),
    };
    const params = { opacity: 0.25, angle: 90, scale: 1, position: "left" };
    const page = await render(await watermark(sample, params, files));
    const at = (x: number, y: number) => page.samples[(y * page.width + x) * 3] ?? 0;
    expect(at(12, 60)).toBeCloseTo(191, -1);
    expect([at(2, 60), at(30, 60), at(12, 2)]).toEqual([255, 255, 255]);
  });
});

describe("a text", () => {
  it("is drawn in any script on the selected pages, and all else stays", async () => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 3 }));
    const params = { text: "草案 مسودة 🚧", pages: "2-", color: "#ff0000", opacity: 0.5 };
    const path = await watermark(sample, params);
    const { objects: _, text, ...read } = readRichPdf(path);
    const { objects: __, text: textBefore, ...before } = readRichPdf(sample.path);
    expect(read).toEqual(before);
    expect(text[0]).toEqual(textBefore[0]);
    const changes = async (page: number) =>
      findChanges(await render(sample.path, page), await render(path, page));
    expect(await changes(1)).toBeUndefined();
    // Rises by 45 degrees.
    const area = await changes(3);
    const width = (area?.right ?? 0) - (area?.left ?? 0);
    const height = (area?.bottom ?? 0) - (area?.top ?? 0);
    expect(width).toBeGreaterThan(90);
    expect(Math.abs(width - height)).toBeLessThan(12);
    expect(text[1]).toContain("草");
  });

  it("has the color and the opacity of the request", async () => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
    const params = { text: "███", angle: 0, scale: 1, opacity: 0.5, color: "#ffff00" };
    const page = await render(await watermark(sample, params));
    const middle = (Math.round(page.height / 2) * page.width + Math.round(page.width / 2)) * 3;
    expect(page.samples.slice(middle, middle + 3)).toEqual([255, 255, 127]);
  });

  it("stays text, whose lines are wrapped if it is long", async () => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
    const words = "This copy is only for the eyes of the board. ".repeat(11).trim();
    const path = await watermark(sample, { text: words, angle: 0, scale: 1, opacity: 1 });
    expect(readText(path)).toContain("only for the eyes of the board.");
    const before = await render(sample.path);
    const area = findChanges(before, await render(path));
    const [width, height] = [
      (area?.right ?? 0) - (area?.left ?? 0),
      (area?.bottom ?? 0) - (area?.top ?? 0),
    ];
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(1.6);
  });

  it("of 250 lines is on the page completely, and one of spaces is not seen", async () => {
    const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
    const lines = Array.from({ length: 250 }, (_, index) => `${index % 10}`).join("\n");
    const read = readText(await watermark(sample, { text: lines, angle: 0, scale: 1 }));
    expect(read.match(/\b[0-9]\b/g)?.length).toBeGreaterThanOrEqual(250);
    const blank = await watermark(sample, { text: " \n ", opacity: 1 });
    expect(findChanges(await render(sample.path), await render(blank))).toBeUndefined();
  });
});

it("either a text or an image is needed; wrong values are rejected", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
  await expect(watermark(sample, {})).rejects.toMatchObject({ code: "empty" });
  const both = watermark(sample, { text: "x" }, { watermark: await noise() });
  await expect(both).rejects.toMatchObject({ code: "empty" });
  const late = watermark(sample, { text: "x", pages: "2-" });
  await expect(late).rejects.toMatchObject({ code: "empty" });
  for (const params of [{ text: "" }, { text: "x", scale: 0 }, { text: "x", angle: 400 }]) {
    expect(watermarkPdf.params.safeParse(params).success).toBe(false);
  }
});
