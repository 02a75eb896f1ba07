import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { pdfToImages } from "#lib/operations/document/pdf-to-images/index.ts";
import { type DrawnPage, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

let files = 0;

async function run(pdf: Buffer, params: Record<string, unknown> = {}) {
  const path = join(videoFolder(), `images-${++files}.pdf`);
  writeFileSync(path, pdf);
  return runOperation(pdfToImages, { path, type: "pdf" }, params);
}

/** The average color of a square of 4 pixels. */
async function colorAt(path: string, left: number, top: number): Promise<number[]> {
  const region = { left: left - 2, top: top - 2, width: 4, height: 4 };
  const { channels } = await sharp(await sharp(path).extract(region).toBuffer()).stats();
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
}

const page: DrawnPage = { content: "1 0 0 rg 0 0 100 100 re f 0 0 1 rg 200 100 100 100 re f" };

test("every page becomes an image at the resolution, named after the page", async () => {
  const pages = Array.from({ length: 12 }, (): DrawnPage => ({ ...page, box: [0, 0, 144, 72] }));
  const { outputs, progress } = await run(makePages([page, ...pages.slice(1)]), { dpi: 100 });
  expect(outputs.map(({ suffix }) => suffix)).toEqual(
    Array.from({ length: 12 }, (_, index) => `-page-${`${index + 1}`.padStart(2, "0")}`),
  );
  for (const [index, { path, width, height }] of outputs.entries()) {
    const found = await sharp(path).metadata();
    expect([found.format, found.width, found.height]).toEqual(["png", width, height]);
    expect([width, height]).toEqual(index === 0 ? [417, 278] : [200, 100]);
    expect(found.density).toBe(100);
  }
  expect(await colorAt(outputs[0]?.path ?? "", 30, 260)).toEqual([255, 0, 0]);
  expect(await colorAt(outputs[0]?.path ?? "", 400, 20)).toEqual([0, 0, 255]);
  expect(await colorAt(outputs[0]?.path ?? "", 30, 20)).toEqual([255, 255, 255]);
  expect(progress).toHaveLength(3);
});

test.each(["jpeg", "webp", "tiff"])("%s, and selected pages", async (format) => {
  const { outputs } = await run(makePages([page, page, page]), { format, pages: "3,1", dpi: 72 });
  expect(outputs.map(({ suffix }) => suffix)).toEqual(["-page-1", "-page-3"]);
  for (const { path, width, height } of outputs) {
    expect(await sharp(path).metadata()).toMatchObject({ format, width: 300, height: 200 });
    expect([width, height]).toEqual([300, 200]);
    const [red = 0, green = 0, blue = 0] = await colorAt(path, 250, 50);
    expect(blue).toBeGreaterThan(240);
    expect(Math.max(red, green)).toBeLessThan(15);
  }
});

test("a rotated and cropped page looks as in a viewer, with its form fields", async () => {
  const more =
    "/Rotate 90 /CropBox [100 0 300 200] /Annots [<< /Type /Annot /Subtype /Square /Rect [110 10 190 90] /F 4 /C [] /AP << /N 9 0 R >> >>]";
  const appearance =
    "<< /Type /XObject /Subtype /Form /BBox [0 0 80 80] /Length 23 >>\nstream\n0 1 0 rg 0 0 80 80 re f\nendstream";
  const { outputs } = await run(makePages([{ ...page, more }], { extra: [appearance] }), {
    dpi: 72,
  });
  const path = outputs[0]?.path ?? "";
  expect(await sharp(path).metadata()).toMatchObject({ width: 200, height: 200 });
  // The upper right quarter is blue, and after the turn the lower right one; the green field is left.
  expect(await colorAt(path, 150, 150)).toEqual([0, 0, 255]);
  expect(await colorAt(path, 50, 50)).toEqual([0, 255, 0]);
});

test("a page in other units than points has its size, also among pages in points", async () => {
  const large: DrawnPage = { ...page, more: "/UserUnit 2.5" };
  const { outputs } = await run(makePages([page, large, large, page]), { dpi: 36 });
  const sizes = outputs.map(({ width, height }) => [width, height]);
  const [small, big] = [
    [150, 100],
    [375, 250],
  ];
  expect(sizes).toEqual([small, big, big, small]);
  const found = await sharp(outputs[2]?.path).metadata();
  expect([found.width, found.height]).toEqual(big);
  expect(await colorAt(outputs[2]?.path ?? "", 365, 10)).toEqual([0, 0, 255]);
});

test("an owner password does not matter, a user password does", async () => {
  const [open, locked] = ["open.pdf", "locked.pdf"].map((name) => join(videoFolder(), name));
  writeFileSync(`${open}`, makePages([page]));
  const lock = (user: string) =>
    execProgram("qpdf", ["--encrypt", user, "owner", "256", "--", `${open}`, `${locked}`]);
  lock("");
  const sample = { path: `${locked}`, type: "pdf" } as const;
  const { outputs } = await runOperation(pdfToImages, sample, { dpi: 36 });
  expect(outputs).toHaveLength(1);
  lock("user");
  await expect(runOperation(pdfToImages, sample)).rejects.toMatchObject({ code: "encrypted" });
});

test("too many pages or pixels are rejected before anything is rendered", async () => {
  const huge = makePages([page, { box: [0, 0, 14_400, 14_400] }]);
  await expect(run(huge)).rejects.toMatchObject({
    code: "too_complex",
    message:
      "Page 2 would have 900 megapixels at this resolution. At most 100 megapixels are possible: set a lower `dpi`.",
  });
  expect((await run(huge, { pages: "1" })).outputs).toHaveLength(1);
  const large = makePages(Array.from({ length: 50 }, () => ({ box: [0, 0, 4700, 4700] as const })));
  await expect(run(large)).rejects.toMatchObject({ code: "too_complex" });
  const many = makePages(Array.from({ length: 1001 }, () => ({})));
  await expect(run(many, { dpi: 10 })).rejects.toMatchObject({
    message: "The document has 1001 pages to render. At most 1000 are possible: set `pages`.",
  });
  await expect(run(makePages([page]), { pages: "2" })).rejects.toMatchObject({ code: "empty" });
});

test("more pages than a document may have are refused before any is selected", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 9999999 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>",
  ];
  const pages = Array(666).fill("1-").join(",");
  const size = 10_000_001;
  await expect(run(makePdfBytes({ objects, size }), { pages })).rejects.toMatchObject({
    code: "too_complex",
    message: "PDF files may have at most 100,000 pages.",
  });
});

test("a damaged file and parameters out of bounds", async () => {
  await expect(run(Buffer.from("%PDF-1.7\nx"))).rejects.toMatchObject({ code: "corrupt" });
  for (const params of [
    { dpi: 9 },
    { dpi: 1201 },
    { dpi: 72.5 },
    { format: "gif" },
    { pages: "0" },
  ])
    expect(pdfToImages.params.safeParse(params).success).toBe(false);
});
