import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { extractImages } from "#lib/operations/document/extract-images/index.ts";
import { type DrawnPage, firstExtra, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

let files = 0;

function save(pdf: Buffer): string {
  const path = join(videoFolder(), `pictures-${++files}.pdf`);
  writeFileSync(path, pdf);
  return path;
}

const run = (pdf: Buffer | string) =>
  runOperation(extractImages, { path: typeof pdf === "string" ? pdf : save(pdf), type: "pdf" });

const image = (width: number, height: number, more: string, data: Buffer) =>
  pdfStream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${more}`, data);

/** A page that draws the extra objects with these indexes. */
function drawing(...indexes: number[]): (first: number) => DrawnPage {
  return (first) => {
    const entries = indexes.map((index) => `/I${index} ${first + index} 0 R`).join(" ");
    const content = indexes.map((index) => `q 50 0 0 50 0 0 cm /I${index} Do Q`).join("\n");
    return { content, more: `/Resources << /XObject << ${entries} >> >>` };
  };
}

function makeDocument(pages: ReadonlyArray<(first: number) => DrawnPage>, extra: Buffer[]): Buffer {
  const first = firstExtra(pages.map(() => ({})));
  const text = makePages(
    pages.map((page) => page(first)),
    { extra },
  );
  // The last of two equal keys does not count for all readers.
  return Buffer.from(
    text
      .toString("latin1")
      .replaceAll(/\/Resources << \/Font <<.{0,30}>> {2}>>/g, (found) => " ".repeat(found.length)),
    "latin1",
  );
}

const rgb = "/ColorSpace /DeviceRGB /BitsPerComponent 8";
const gray = "/ColorSpace /DeviceGray /BitsPerComponent 8";
const jpegOf = (color: string) =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

test("JPEG and JPEG 2000 data as it is stored, other data as PNG, each once", async () => {
  const jpeg = await jpegOf("#3080c0");
  const jp2Path = join(videoFolder(), "picture.jp2");
  const pngPath = jp2Path.replace("jp2", "png");
  await sharp(jpeg).png().toFile(pngPath);
  execFileSync("vips", ["jp2ksave", pngPath, jp2Path, "--lossless"]);
  const jp2 = readFileSync(jp2Path);
  const red = Buffer.alloc(3 * 4 * 4, Buffer.from([255, 0, 0]));
  const extra = [
    image(20, 10, `${rgb} /Filter /DCTDecode`, jpeg),
    image(20, 10, `${rgb} /Filter /DCTDecode`, jpeg),
    image(20, 10, "/Filter /JPXDecode", jp2),
    image(4, 4, rgb, red),
    image(
      8,
      2,
      "/ColorSpace [/Indexed /DeviceRGB 1 <00ff000000ff>] /BitsPerComponent 4",
      Buffer.from("1111000000001111", "hex"),
    ),
  ];
  const pdf = makeDocument([drawing(0, 1), drawing(3, 0, 4), drawing(2, 3)], extra);
  const { outputs, result } = await run(pdf);
  expect(result?.images).toEqual([
    { page: 1, width: 20, height: 10, format: "jpg", alpha: false },
    { page: 2, width: 4, height: 4, format: "png", alpha: false },
    { page: 2, width: 8, height: 2, format: "png", alpha: false },
    { page: 3, width: 20, height: 10, format: "jp2", alpha: false },
  ]);
  expect(outputs.map(({ suffix }) => suffix)).toEqual([1, 2, 3, 4].map((n) => `-image-${n}`));
  const bytes = outputs.map(({ path }) => readFileSync(path));
  expect(bytes[0]?.equals(jpeg)).toBe(true);
  expect(bytes[3]?.equals(jp2)).toBe(true);
  expect(await sharp(bytes[1]).raw().toBuffer()).toEqual(red);
  const [first, last] = [0, 15].map((pixel) => pixel * 3);
  const indexed = await sharp(bytes[2]).raw().toBuffer();
  expect([...indexed.subarray(first, (first ?? 0) + 3)]).toEqual([0, 0, 255]);
  expect([...indexed.subarray(last)]).toEqual([0, 0, 255]);
});

test("soft masks and stencil masks become alpha, also in another size", async () => {
  const pixels = Buffer.alloc(3 * 16, Buffer.from([10, 200, 30]));
  const soft = Buffer.from([0, 255, 128, 64]);
  const base = firstExtra([{}]) + 2;
  const extra = [
    image(4, 4, `${rgb} /SMask ${base} 0 R`, pixels),
    image(4, 4, `${rgb} /Mask ${base + 1} 0 R`, pixels),
    image(2, 2, gray, soft),
    // Of a stencil mask, 1 is not painted: here the right half.
    image(8, 1, "/ImageMask true /BitsPerComponent 1", Buffer.from([0x0f])),
    image(4, 4, `${rgb} /Mask ${base + 3} 0 R`, pixels),
    image(8, 1, "/ImageMask true /BitsPerComponent 1 /Decode [1 0]", Buffer.from([0x0f])),
  ];
  const { outputs, result } = await run(makeDocument([drawing(0, 1, 4)], extra));
  expect(result?.images).toEqual([
    { page: 1, width: 4, height: 4, format: "png", alpha: true },
    { page: 1, width: 4, height: 4, format: "png", alpha: true },
    { page: 1, width: 4, height: 4, format: "png", alpha: true },
  ]);
  const [smooth, hard, decoded] = await Promise.all(
    outputs.map(async ({ path }) => [...(await sharp(path).raw().toBuffer())]),
  );
  const corner = (of: number[] | undefined, x: number, y: number) =>
    of?.slice((y * 4 + x) * 4).slice(0, 4);
  expect(corner(smooth, 0, 0)?.slice(0, 3)).toEqual([10, 200, 30]);
  expect(corner(smooth, 0, 0)?.[3]).toBeLessThan(30);
  expect(corner(smooth, 3, 0)?.[3]).toBeGreaterThan(225);
  expect([corner(hard, 0, 0)?.[3], corner(hard, 3, 3)?.[3]]).toEqual([255, 0]);
  expect([corner(decoded, 0, 0)?.[3], corner(decoded, 3, 3)?.[3]]).toEqual([0, 255]);
});

test("pictures of forms and annotations are found, and unused ones are not", async () => {
  const jpeg = await jpegOf("#c03030");
  const other = await jpegOf("#30c030");
  const base = firstExtra([{}, {}]);
  const form = pdfStream(
    `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${base + 1} 0 R >> >>`,
    "/X Do",
  );
  const extra = [
    form,
    image(20, 10, `${rgb} /Filter /DCTDecode`, jpeg),
    image(20, 10, `${rgb} /Filter /DCTDecode`, other),
  ];
  const { outputs } = await run(makeDocument([() => ({}), drawing(0)], extra));
  expect(outputs).toHaveLength(1);
  expect(readFileSync(outputs[0]?.path ?? "").equals(jpeg)).toBe(true);
});

test("no pictures, too large ones, a password and a damaged file", async () => {
  const none = makePages([{ lines: [{ text: "text", y: 100 }] }]);
  await expect(run(none)).rejects.toMatchObject({ code: "empty" });
  const huge = makeDocument([drawing(0)], [image(20_000, 20_000, gray, Buffer.from("x"))]);
  await expect(run(huge)).rejects.toMatchObject({ code: "too_complex" });
  const path = save(none);
  const locked = path.replace(".pdf", "-locked.pdf");
  execProgram("qpdf", ["--encrypt", "user", "owner", "256", "--", path, locked]);
  await expect(run(locked)).rejects.toMatchObject({ code: "encrypted" });
  await expect(run(Buffer.from("%PDF-1.7\nx"))).rejects.toMatchObject({ code: "corrupt" });
});
