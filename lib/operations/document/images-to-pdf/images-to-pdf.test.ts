import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { makeTiffPages } from "#tests/samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { renderPdf } from "#tests/samples/pdf/pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { imagesToPdf } from "./index.ts";

// How each kind of image is embedded is in the tests of lib/operations/shared/to-pdf.

/** Width and height of each page in points. */
function pageSizes(path: string): number[][] {
  execProgram("qpdf", ["--check", path]);
  const info = execProgram("pdfinfo", ["-f", "1", "-l", "99", path], { encoding: "utf8" });
  const rows = [...info.matchAll(/size: +([\d.]+) x ([\d.]+)/g)];
  return rows.map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))]);
}

const jpeg = async (width: number, height: number) =>
  toSample("jpeg", await makeTestImage({ width, height }).jpeg().toBuffer());

describe("pages", () => {
  it("are turned only for images of the other orientation", async () => {
    const params = { page_size: "200mmx100mm" };
    const samples = [await jpeg(100, 100), await jpeg(100, 200)];
    const { outputs } = await runOperation(imagesToPdf, samples, params);
    expect(pageSizes(outputs[0]?.path ?? "")).toEqual([
      [567, 283],
      [283, 567],
    ]);
  });

  it("are as long as a PDF allows for a very long image, and as wide as viewers open", async () => {
    const { outputs } = await runOperation(imagesToPdf, await jpeg(2, 30_000));
    expect(pageSizes(outputs[0]?.path ?? "")).toEqual([[3, 14_400]]);
  });

  it("follow the order of the files; each frame and each page of a file is one", async () => {
    const samples = [
      await jpeg(200, 100),
      await toSample(
        "gif",
        await (await makeTestFrames(["#a00", "#0a0", "#00a"])).gif().toBuffer(),
      ),
      await toSample(
        "tiff",
        makeTiffPages([
          [100, 40],
          [40, 100],
        ]),
      ),
      await toSample("bmp", makeBmp()),
    ];
    const { outputs, progress } = await runOperation(imagesToPdf, samples);
    expect(outputs).toMatchObject([{ pages: 7 }]);
    expect(pageSizes(outputs[0]?.path ?? "")).toEqual([
      [150, 75],
      [90, 60],
      [90, 60],
      [90, 60],
      [75, 30],
      [30, 75],
      [12, 6],
    ]);
    expect(progress.at(-1)).toBe(100);
  });

  it("are as large as the image and the margins with fit; one image is enough", async () => {
    const params = { margin: "10pt 20pt 30pt 40pt" };
    const { outputs } = await runOperation(imagesToPdf, await jpeg(200, 100), params);
    expect(pageSizes(outputs[0]?.path ?? "")).toEqual([[210, 115]]);
  });

  it("have the size of a paper, turned for landscape images, which are centered in the margins", async () => {
    const params = { page_size: "a5", margin: "1in" };
    const samples = [await jpeg(200, 100), await jpeg(100, 100)];
    const { outputs } = await runOperation(imagesToPdf, samples, params);
    const path = outputs[0]?.path ?? "";
    expect(pageSizes(path)).toEqual([
      [595, 420],
      [420, 595],
    ]);
    // At 36 dpi, the image is 36 to 262 of 298 pixels wide and centered in the height.
    const { width, height, pixels } = renderPdf(path);
    const isWhite = (x: number, y: number) => pixels[(y * width + x) * 3] === 255;
    expect([isWhite(34, 105), isWhite(38, 105), isWhite(259, 105), isWhite(264, 105)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    const column = Array.from({ length: height }, (_, y) => isWhite(150, y));
    const top = column.indexOf(false);
    const bottom = height - 1 - column.lastIndexOf(false);
    expect(Math.abs(top - bottom)).toBeLessThanOrEqual(1);
  });
});

/** Makes a BMP of 16 × 8 pixels with 24 bits. */
function makeBmp(): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + 16 * 8 * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(16, 18);
  head.writeInt32LE(8, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(16 * 8 * 3, 99)]);
}

it("a transparent image stays transparent", async () => {
  const clear = { width: 60, height: 60, channels: 4, background: "#ff000080" } as const;
  const sample = await toSample("png", await sharp({ create: clear }).png().toBuffer());
  const { outputs } = await runOperation(imagesToPdf, sample);
  const { pixels } = renderPdf(outputs[0]?.path ?? "");
  expect([pixels[0], pixels[1]]).toMatchObject([255, expect.closeTo(127, -1)]);
});

it("limits apply, and a damaged image fails", async () => {
  const gif = await (await makeTestFrames(["#a00", "#0a0", "#00a"])).gif().toBuffer();
  const run = runOperation(imagesToPdf, await toSample("gif", gif), {}, {}, undefined, {
    imageFrames: 2,
  });
  await expect(run).rejects.toMatchObject({ code: "too_complex" });
  const bytes = await makeTestImage().png().toBuffer();
  const damaged = await toSample("png", bytes.subarray(0, bytes.length / 2));
  await expect(runOperation(imagesToPdf, damaged)).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringMatching(/^The image/),
  });
  const second = runOperation(imagesToPdf, [await toSample("png", bytes), damaged]);
  await expect(second).rejects.toMatchObject({
    message: expect.stringMatching(/^Input 2: The image/),
  });
});

it.each([
  { page_size: "A9" },
  { page_size: "1mmx1mm" },
  { margin: "-1cm" },
  { margin: "10" },
  { page_size: "A4", margin: "11cm" },
])("rejects %j", (params) => {
  expect(imagesToPdf.params.safeParse(params).success).toBe(false);
});
