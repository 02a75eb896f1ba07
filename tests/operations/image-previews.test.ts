import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/**
 * Cameras and editors put a small picture of an image into its metadata. Of an image that was changed, it
 * would show what a watermark, a blur or a crop hides.
 */

/** Every operation that changes the pixels and keeps the metadata, and parameters that change something. */
const changes: Readonly<Record<string, Record<string, unknown>>> = {
  "image/adjust": { brightness: 1.2 },
  "image/blur": { sigma: 6 },
  "image/crop": { left: 16, top: 16, width: 64, height: 48 },
  "image/flip": { direction: "horizontal" },
  "image/frames": {},
  "image/pad": { ratio: "1:1" },
  "image/pixelate": { size: 12 },
  "image/resize": { width: 60 },
  "image/rotate": { angle: 90 },
  "image/round-corners": { circle: true },
  "image/sharpen": { sigma: 2 },
  "image/trim": {},
  "image/watermark-image": {},
  "image/watermark-text": { text: "Mark", opacity: 1 },
};

/** These write the same picture, new pictures without metadata, or no picture. */
const others = [
  "animated",
  "barcode",
  "compress",
  "convert",
  "metadata",
  "ocr",
  "palette",
  "placeholder",
  "qr-code",
  "read-codes",
  "thumbnail",
];

test("every operation on images is tested here, or needs no test", () => {
  const ids = operations.map(({ id }) => id).filter((id) => id.startsWith("image/"));
  const known = [...Object.keys(changes), ...others.map((name) => `image/${name}`)];
  expect(ids.toSorted()).toEqual(known.toSorted());
});

const formats = ["jpeg", "png", "webp", "avif", "tiff"] as const;
type Format = (typeof formats)[number];

/** One operation on each path through the code that saves images, as in save.test.ts of lib/engines/image. */
const everyFormat: readonly string[] = ["image/resize", "image/adjust", "image/crop"];

/** JPEG has paths of its own in some operations. The other formats take turns. */
const chosen = Object.keys(changes).map((id, index) => {
  const other = formats[1 + (index % (formats.length - 1))] ?? "png";
  return { id, types: everyFormat.includes(id) ? formats : (["jpeg", other] as const) };
});

/** Paints noise, so that its bytes are found nowhere else. */
async function paintPreview(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const image = sharp({
    create: { width: 64, height: 48, channels: 3, noise, background: "#000" },
  });
  return image.jpeg({ quality: 60 }).toBuffer();
}

/** An image with a border, and the preview wherever exiftool can put one. */
async function makeSample(type: Format, preview: Sample): Promise<Sample> {
  const background = "#20c040";
  const framed = await makeTestImage({ width: 160, height: 128 })
    .extend({ top: 16, bottom: 16, left: 16, right: 16, background })
    .png()
    .toBuffer();
  const encoded = sharp(framed)
    .withMetadata()
    [type](type === "avif" ? { effort: 0 } : {});
  const sample = await toSample(type, await encoded.toBuffer());
  const places = ["ThumbnailImage", "PhotoshopThumbnail", "XMP-xmp:ThumbnailImage"];
  const tags = places.map((name) => `-${name}<=${preview.path}`);
  const kept = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill"];
  await exiftool("-q", "-m", "-overwrite_original", ...kept, ...tags, sample.path);
  return sample;
}

interface Framed {
  readonly preview: Buffer;
  readonly image: Buffer;
}

const framed = new Map<Format, Promise<Framed>>();

/** The bytes of the sample of a format, which is made once. */
function sampleOf(type: Format): Promise<Framed> {
  const made = framed.get(type) ?? make(type);
  framed.set(type, made);
  made.catch(() => framed.delete(type));
  return made;
}

async function make(type: Format): Promise<Framed> {
  const bytes = await paintPreview();
  const { path } = await makeSample(type, await toSample("jpeg", bytes));
  expect(await readPreviews(path)).not.toBe("");
  const image = await readFile(path);
  expect(image.includes(bytes.subarray(-200))).toBe(true);
  return { preview: bytes, image };
}

const readPreviews = (path: string) =>
  exiftool("-b", "-a", "-ThumbnailImage", "-PhotoshopThumbnail", "-PreviewImage", path);

describe.each(chosen)("$id", ({ id, types }) => {
  test.each(types)("%s: no preview of the unchanged image is in the result", async (type) => {
    const operation = findOperation(id);
    if (!operation) throw new Error(id);
    const { preview: bytes, image } = await sampleOf(type);
    const sample = await toSample(type, image);
    const stamp = makeTestImage({ width: 20, height: 10 }).png();
    const files: Record<string, Sample> =
      "files" in operation ? { watermark: await toSample("png", await stamp.toBuffer()) } : {};
    const { outputs } = await runOperation(operation, sample, changes[id], files);
    for (const { path } of outputs) {
      expect(await readPreviews(path)).toBe("");
      const written = await readFile(path);
      for (let at = 0; at + 32 <= bytes.length; at += 100) {
        const piece = bytes.subarray(at + 400, at + 432);
        if (piece.length === 32) expect(written.includes(piece)).toBe(false);
      }
      expect(written.includes(bytes.toString("base64").slice(600, 660))).toBe(false);
      expect(await exiftool("-s3", "-XMP-dc:Title", path)).toBe("Mill\n");
      await expect(sharp(path, { failOn: "warning" }).stats()).resolves.toBeDefined();
    }
  });
});

test("EXIF data that ImageMagick stored as text of a PNG is not in the result", async () => {
  const body = Buffer.from("tEXtRaw profile type exif\0\nexif\n8\n4578696600ff\n", "latin1");
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  const png = await makeTestImage().png().toBuffer();
  // After the signature and the header.
  const sample = await toSample(
    "png",
    Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]),
  );
  const operation = findOperation("image/blur");
  if (!operation) throw new Error("no operation");
  const { outputs } = await runOperation(operation, sample, { sigma: 6 });
  const commentsOf = async (path = "") => (await sharp(path).metadata()).comments ?? [];
  expect(await commentsOf(sample.path)).toHaveLength(1);
  expect(await commentsOf(outputs[0]?.path)).toEqual([]);
});
