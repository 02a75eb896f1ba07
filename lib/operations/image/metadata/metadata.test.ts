import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { metadata } from "#lib/operations/image/metadata/index.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const written = [
  "-IFD0:Make=Mill",
  "-IFD0:Copyright=Ada 日本",
  "-ExifIFD:ISO=400",
  "-ExifIFD:ExposureTime=1/250",
  "-XMP-dc:Title=Harbor",
  "-XMP-dc:Subject=sea",
  "-XMP-dc:Subject=boat",
  "-GPSLatitude=33.8568",
  "-GPSLatitudeRef=S",
  "-GPSLongitude=151.2153",
  "-GPSLongitudeRef=E",
  "-GPSAltitude=58",
  "-GPSAltitudeRef=0",
];

async function write(path: string, tags: readonly string[]): Promise<void> {
  await exiftool("-q", "-overwrite_original", ...tags, path);
}

async function run(sample: Sample) {
  const { outputs, result } = await runOperation(metadata, sample);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  return result as Record<string, Record<string, unknown>>;
}

test.each(["jpeg", "png", "webp", "tiff"] as const)("EXIF, XMP and GPS of a %s", async (type) => {
  const sample = await toSample(type, await makeTestImage().toFormat(type).toBuffer());
  await write(sample.path, written);
  const { exif, xmp, gps } = await run(sample);
  expect(exif).toMatchObject({
    Make: "Mill",
    Copyright: "Ada 日本",
    ISO: 400,
    ExposureTime: 0.004,
  });
  expect(xmp).toMatchObject({ "dc:Title": "Harbor", "dc:Subject": ["sea", "boat"] });
  expect(gps?.latitude).toBeCloseTo(-33.8568, 5);
  expect(gps?.longitude).toBeCloseTo(151.2153, 5);
  expect(gps).toMatchObject({ altitude: 58, GPSLatitudeRef: "S" });
  expect(Object.keys(exif ?? {}).join()).not.toMatch(/GPS(Lat|Lon)/);
});

test("IPTC and comments of a JPEG, and its ICC profile", async () => {
  const image = makeTestImage().withIccProfile("p3");
  const sample = await toSample("jpeg", await image.jpeg().toBuffer());
  await write(sample.path, ["-IPTC:Keywords=sea", "-IPTC:City=Sydney", "-Comment=hello"]);
  const { iptc, icc, exif, other } = await run(sample);
  expect(iptc).toMatchObject({ Keywords: "sea", City: "Sydney" });
  expect(icc).toMatchObject({ ProfileClass: "mntr", ColorSpaceData: "RGB " });
  expect(icc?.ProfileDescription).toMatch(/P3/);
  expect(other).toMatchObject({ "File:Comment": "hello" });
  expect(Object.keys({ ...exif, ...other }).join()).not.toMatch(/FileSize|Directory|FileName/);
});

test("an image without metadata has every part, empty", async () => {
  const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#123" } })
    .gif()
    .toBuffer();
  const result = await run(await toSample("gif", bytes));
  for (const part of ["exif", "iptc", "xmp", "icc", "gps"]) expect(result[part]).toEqual({});
});

test("types that are decoded only after a conversion keep their own tags", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><title>Mill</title></svg>';
  const { other } = await run(await toSample("svg", Buffer.from(svg)));
  expect(JSON.stringify(other)).toContain("Mill");
});

describe("hostile tags", () => {
  test("long values and many tags are cut", async () => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const keywords = Array.from({ length: 500 }, (_, index) => `-XMP-dc:Subject=k${index}`);
    await write(sample.path, [`-XMP-dc:Description=${"x".repeat(50_000)}`, ...keywords]);
    const { xmp } = await run(sample);
    expect(`${xmp?.["dc:Description"]}`.length).toBeLessThanOrEqual(2000);
    expect(xmp?.["dc:Subject"]).toHaveLength(100);
  });

  test("a truncated file has the tags of its head; parameters are rejected", async () => {
    const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
    await write(sample.path, ["-IFD0:Make=Mill"]);
    const bytes = await readFile(sample.path);
    const cut = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
    expect((await run(cut)).exif).toMatchObject({ Make: "Mill" });
    expect(metadata.params.safeParse({ tags: "all" }).success).toBe(false);
  });
});
