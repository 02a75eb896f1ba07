import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { makeGrayProfile } from "#tests/samples/images/gray-profile.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";
import { redactPdf, savePdf } from "#tests/support/redacted-pdf.ts";

const [width, height] = [320, 200];

const photo = () =>
  sharp(join(import.meta.dirname, "../../../../../public/samples/inputs/photo.jpg"))
    .resize(width, height)
    .removeAlpha();

const rgb = () => photo().jpeg({ quality: 95 }).toBuffer();
const gray = () => photo().toColourspace("b-w").jpeg({ quality: 95 }).toBuffer();
/** Inverted, as all CMYK files of libvips. */
const cmyk = () => photo().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();

function insertSegment(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

const withProfile = (jpeg: Buffer, profile: Buffer) =>
  insertSegment(jpeg, 0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01"), profile]));

/** The JPEG whose segment of Adobe has another transform of colors; none for undefined. */
function changeTransform(jpeg: Buffer, transform: number | undefined): Buffer {
  const start = jpeg.indexOf("Adobe") - 4;
  const [before, segment, after] = [
    jpeg.subarray(0, start),
    Buffer.from(jpeg.subarray(start, start + 16)),
    jpeg.subarray(start + 16),
  ];
  if (transform === undefined) return Buffer.concat([before, after]);
  segment[15] = transform;
  return Buffer.concat([before, segment, after]);
}

/** A page of 320 × 200 points that is the picture. */
function makePicturePdf(jpeg: Buffer, entries: string, more: readonly Buffer[] = []): Buffer {
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /Pic 5 0 R >> >> >>`,
      pdfStream("", `q ${width} 0 0 ${height} 0 0 cm /Pic Do Q`),
      pdfStream(`${image} /Filter /DCTDecode ${entries}`, jpeg),
      ...more,
    ],
  });
}

const render = async (path: string) =>
  sharp(execProgram("pdftoppm", ["-r", "72", "-png", "-singlefile", path]))
    .removeAlpha()
    .raw()
    .toBuffer();

/** The mean difference of the samples of two renderings in columns of the page, from 0 to 255. */
function differ(before: Buffer, after: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let at = 3 * (y * width + from); at < 3 * (y * width + to); at++) {
      sum += Math.abs((before[at] ?? 0) - (after[at] ?? 0));
    }
  }
  return sum / (3 * (to - from) * height);
}

const inverted = "/ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 1 0]";
const p3 = () => photo().withIccProfile("p3").jpeg({ quality: 95 }).toBuffer();
const profileOf = async (jpeg: Buffer) => (await sharp(jpeg).metadata()).icc ?? Buffer.alloc(0);

test.each([
  ["gray", gray, "/ColorSpace /DeviceGray"],
  [
    "gray with a profile",
    async () => withProfile(await gray(), makeGrayProfile()),
    "/ColorSpace /DeviceGray",
  ],
  ["RGB", rgb, "/ColorSpace /DeviceRGB"],
  ["RGB with a profile", p3, "/ColorSpace /DeviceRGB"],
  ["RGB with a profile in both", p3, "/ColorSpace [/ICCBased 6 0 R]"],
  ["CMYK", cmyk, inverted],
  [
    "CMYK without inversion",
    async () => changeTransform(await cmyk(), undefined),
    "/ColorSpace /DeviceCMYK",
  ],
  ["YCCK", async () => changeTransform(await cmyk(), 2), inverted],
])("a JPEG of %s loses pixels, and keeps the others", async (_, encode, entries) => {
  const jpeg = await encode();
  const profile = pdfStream("/N 3", await profileOf(jpeg));
  const bytes = makePicturePdf(jpeg, entries, [profile]);
  const regions = [{ left: 0, top: 0, width: width / 2, height }];
  const { path, warnings } = await redactPdf({ regions, color: "#00ff00" }, bytes);
  expect(warnings).toEqual([]);
  const [before, after] = [await render(savePdf(bytes).path), await render(path)];
  expect(differ(before, after, width / 2 + 1, width)).toBeLessThan(2);
  const fill = Buffer.alloc(before.length, Buffer.from([0, 255, 0]));
  expect(differ(fill, after, 0, width / 2)).toBe(0);
  // Below the bar.
  const folder = temporaryWorkFolder().root;
  execProgram("pdfimages", ["-all", path, join(folder, "image")]);
  const left = await sharp(join(folder, "image-000.jpg"))
    .extract({ left: 0, top: 0, width: width / 2 - 8, height })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  expect(Math.max(...left) - Math.min(...left)).toBeLessThan(8);
});

test("a soft mask that is a JPEG becomes transparent, and keeps its other pixels", async () => {
  const mask = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /DCTDecode`;
  const black = await sharp({ create: { width, height, channels: 3, background: "#000" } })
    .jpeg()
    .toBuffer();
  const entries = "/ColorSpace /DeviceRGB /SMask 6 0 R";
  const bytes = makePicturePdf(black, entries, [pdfStream(mask, await gray())]);
  const regions = [{ left: 0, top: 0, width: width / 2, height }];
  const { path } = await redactPdf({ regions }, bytes);
  const [before, after] = [await render(savePdf(bytes).path), await render(path)];
  expect(differ(before, after, width / 2 + 1, width)).toBeLessThan(2);
});

test.each([
  ["RGB", "DeviceGray", rgb, ""],
  ["gray", "DeviceRGB", gray, ""],
  ["RGB", "DeviceRGB", rgb, "/DecodeParms << /ColorTransform 0 >>"],
])("a page with a JPEG of %s in %s becomes a picture", async (_, space, encode, more) => {
  const bytes = makePicturePdf(await encode(), `/ColorSpace /${space} ${more}`);
  const regions = [{ left: 0, top: 0, width: width / 2, height }];
  const { path, warnings } = await redactPdf({ regions }, bytes);
  expect(warnings).toEqual([expect.stringMatching(/became pictures.*: 1\.$/)]);
  const [before, after] = [await render(savePdf(bytes).path), await render(path)];
  expect(differ(before, after, width / 2 + 1, width)).toBeLessThan(8);
});

test("a page with a JPEG whose width is no integer becomes a picture", async () => {
  const whole = makePicturePdf(await rgb(), "/ColorSpace /DeviceRGB");
  const text = whole.toString("latin1").replace(`/Width ${width}`, "/Width 3.5");
  const regions = [{ left: 0, top: 0, width: width / 2, height }];
  const { warnings } = await redactPdf({ regions }, Buffer.from(text, "latin1"));
  expect(warnings).toContainEqual(expect.stringMatching(/became pictures.*: 1\.$/));
});
