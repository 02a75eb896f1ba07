import { readFile, stat, writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { convertsToPdf, fileToPdf } from "#lib/operations/shared/to-pdf/file-to-pdf.ts";
import { makeTiffPages } from "#tests/samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage } from "#tests/samples/images/images.ts";
import { makePdf } from "#tests/samples/metadata.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

async function toPdf(type: MediaTypeId, bytes: Buffer): Promise<string> {
  const work = temporaryWorkFolder();
  const file = work.input(mediaType(type).extension);
  await writeFile(file.path, bytes);
  const { size } = await stat(file.path);
  const input = { ...file, type: mediaType(type), bytes: size, filename: `sample.${type}` };
  const { path } = await fileToPdf(input, work, new AbortController().signal);
  expect(execProgram("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
  return path;
}

/** The images of the PDF, with the data of each as it is stored or, if not JPEG, as PNG. */
function extractImages(path: string) {
  const rows = execProgram("pdfimages", ["-list", path], { encoding: "utf8" }).split("\n");
  return rows.slice(2, -1).map((row) => {
    const [, , type, width, height, color, channels, bits, encoding] = row.trim().split(/\s+/);
    return { type, width, height, color, channels, bits, encoding };
  });
}

/** The first page at one pixel per point. */
async function render(path: string): Promise<{ data: Buffer; width: number; height: number }> {
  const png = execProgram("pdftocairo", ["-png", "-r", "72", "-singlefile", path, "-"]);
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const meanDifference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;

describe("images", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "a JPEG of EXIF orientation %i is upright and not encoded again",
    async (orientation) => {
      const tagged = makeTestImage()
        .jpeg({ quality: 95 })
        .withMetadata({ orientation, density: 144 });
      const bytes = await tagged.toBuffer();
      const path = await toPdf("jpeg", bytes);
      expect((await readFile(path)).includes(bytes)).toBe(true);
      const { data, info } = await sharp(bytes)
        .autoOrient()
        .resize({ width: orientation >= 5 ? 90 : 120 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const page = await render(path);
      expect([page.width, page.height]).toEqual([info.width, info.height]);
      expect(meanDifference(page.data, data)).toBeLessThan(3);
    },
  );

  it("of kinds other than RGB keep depth, color space, palette, profile and alpha", async () => {
    const cmyk = makeTestImage().withIccProfile("cmyk");
    const rows: [MediaTypeId, Sharp, object[]][] = [
      ["jpeg", cmyk.clone().jpeg(), [{ color: "icc", channels: "4", encoding: "jpeg" }]],
      ["tiff", cmyk.clone().tiff(), [{ color: "icc", channels: "4", encoding: "image" }]],
      ["png", makeTestImage({ bits: 16 }).png(), [{ color: "rgb", bits: "16" }]],
      ["png", makeTestImage().png({ palette: true }), [{ color: "index", bits: "8" }]],
      ["png", makeTestImage({ channels: 1 }).png(), [{ color: "gray", bits: "8" }]],
      ["png", makeTestImage({ channels: 4 }).png(), [{ type: "image" }, { type: "smask" }]],
      [
        "png",
        makeTestImage({ channels: 4 }).withIccProfile("p3").png(),
        [{ color: "icc" }, { type: "smask", color: "gray" }],
      ],
      [
        "webp",
        makeTestImage({ channels: 4 }).withIccProfile("srgb").webp({ lossless: true }),
        [{ color: "icc" }, { type: "smask", color: "gray" }],
      ],
      ["png", makeTestImage({ channels: 2, bits: 16 }).png(), [{ bits: "16" }, { bits: "8" }]],
      ["webp", makeTestImage().webp(), [{ encoding: "jpeg" }]],
      ["webp", makeTestImage().webp({ lossless: true }), [{ encoding: "image" }]],
      [
        "tiff",
        makeTestImage({ channels: 1 }).tiff({ bitdepth: 1 }),
        [{ color: "gray", bits: "1" }],
      ],
      ["svg", makeTestImage(), [{ type: "image", width: "1600" }, { type: "smask" }]],
    ];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><circle r="40"/></svg>`;
    for (const [type, image, expected] of rows) {
      const bytes = type === "svg" ? Buffer.from(svg) : await image.toBuffer();
      const images = extractImages(await toPdf(type, bytes));
      expect(images, type).toMatchObject(expected);
    }
  });

  it("become pages: each page of a TIFF, of any size, and the first frame of an animation", async () => {
    const path = await toPdf(
      "tiff",
      makeTiffPages([
        [240, 180],
        [100, 50],
      ]),
    );
    expect(extractImages(path)).toMatchObject([{ width: "240" }, { width: "100" }]);
    expect(readPdf(path)).toMatchObject({ pages: 2, width: 180, height: 135 });
    const animation = await (await makeTestFrames(["#a00", "#0a0"])).gif().toBuffer();
    expect(readPdf(await toPdf("gif", animation)).pages).toBe(1);
  });

  it("without a print resolution are at most as long as A4; with one they have that size", async () => {
    const large = makeTestImage({ width: 2000, height: 1000 });
    const photo = await large.clone().jpeg().toBuffer();
    expect(readPdf(await toPdf("jpeg", photo))).toMatchObject({ width: 842, height: 421 });
    const scan = await large.withMetadata({ density: 100 }).jpeg().toBuffer();
    expect(readPdf(await toPdf("jpeg", scan))).toMatchObject({ width: 1440, height: 720 });
  });

  it.each([
    [1, false],
    [1, true],
    [6, false],
  ])("of a fax have its proportions: orientation %i, BigTIFF %s", async (orientation, bigtiff) => {
    const fax = makeTestImage({ width: 1728, height: 1078, channels: 1 });
    const tiff = fax.tiff({ xres: 204 / 25.4, yres: 98 / 25.4, resolutionUnit: "inch", bigtiff });
    const path = await toPdf("tiff", await tiff.withMetadata({ orientation }).toBuffer());
    const { width, height } = readPdf(path);
    const [across, down] = orientation === 6 ? [height, width] : [width, height];
    expect(Math.abs(across - (1728 / 204) * 72)).toBeLessThan(1);
    expect(Math.abs(down - (1078 / 98) * 72)).toBeLessThan(1);
  });

  it("that are damaged fail", async () => {
    const bytes = await makeTestImage().jpeg().toBuffer();
    const run = toPdf("jpeg", bytes.subarray(0, bytes.length / 2));
    await expect(run).rejects.toMatchObject({ name: "JobError", code: "corrupt" });
  });
});

describe("documents", () => {
  it("are converted: text, HTML, and PDF as it is", async () => {
    expect(readPdf(await toPdf("txt", Buffer.from("Grüße 你好"))).text).toBe("Grüße 你好");
    const html = Buffer.from("<title>Report</title><h1>Über uns</h1>");
    expect(readPdf(await toPdf("html", html))).toMatchObject({ text: "Über uns", width: 595.92 });
    const pdf = makePdf();
    expect(await readFile(await toPdf("pdf", pdf))).toEqual(pdf);
  });

  it("of other types are rejected", async () => {
    expect(
      ["pdf", "docx", "heic", "html"].every((type) => convertsToPdf(type as MediaTypeId)),
    ).toBe(true);
    expect(convertsToPdf("mp4")).toBe(false);
    const run = toPdf("mp4", Buffer.from("x"));
    await expect(run).rejects.toMatchObject({ name: "JobError", code: "unsupported_type" });
  });
});
