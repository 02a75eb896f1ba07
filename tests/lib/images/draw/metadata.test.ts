import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readCopyright } from "#lib/images/draw/exif.ts";
import { drawPicture } from "#lib/images/draw/worker-functions.ts";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** What pictures keep of the metadata of their sources. */

const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="a photo"/></rdf:RDF></x:xmpmeta>';

const copyright = { Artist: "Anna", Copyright: "Anna 2026" };

function describeImage(image: Sharp): Sharp {
  const tags = { IFD0: copyright, IFD2: { UserComment: "a long comment" } };
  return image.withExif(tags).withXmp(xmp);
}

const paint = (background: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background } });

const photo = () =>
  describeImage(paint("red").withMetadata({ orientation: 6, icc: "p3" }))
    .jpeg()
    .toBuffer();

async function draw(options: string, source: Promise<Buffer> = photo()) {
  const { plan } = parseImgproxyPath(`${options}/plain/https://a.example/a`, {
    presets: new Map(),
  });
  const work = temporaryWorkFolder();
  const file = work.input("bin");
  await writeFile(file.path, await source);
  const { outputs } = await callInWorker(drawPicture, {
    files: [file],
    options: { plan, preferred: [] },
    work,
    signal: new AbortController().signal,
  });
  const drawn = sharp(outputs[0]?.path);
  const metadata = await drawn.metadata();
  return {
    ...metadata,
    samples: await drawn.raw().toBuffer(),
    copyright: readCopyright(metadata.exif),
    hasComment: metadata.exif?.includes("a long comment") ?? false,
  };
}

describe("a picture keeps its metadata, upright, with sm:0 and", () => {
  it.each([
    ["w:50", 50, 100],
    ["rot:90", 200, 100],
    ["fl:1", 100, 200],
    ["pix:5", 100, 200],
    ["t:0/w:50", 50, 100],
    ["bl:2/pd:5", 110, 210],
    ["c:100:50/rs:fill:50:50", 50, 50],
    ["rot:90/f:webp", 200, 100],
    ["rot:90/f:png", 200, 100],
    ["rot:90/f:avif", 200, 100],
    ["ar:0/rot:90", 100, 200],
  ])("%s", async (options, width, height) => {
    const drawn = await draw(`sm:0/${options}`);
    expect(drawn).toMatchObject({ width, height, copyright, hasComment: true });
    expect(drawn.xmpAsString).toContain("a photo");
    expect(drawn.orientation ?? 1).toBe(1);
  });
});

it("an animation keeps its copyright and XMP", async () => {
  const frames = ["red", "blue"].map((color) => paint(color).gif().toBuffer());
  const animation = sharp(await Promise.all(frames), { join: { animated: true } });
  const drawn = await draw("sm:0/w:50/f:webp", describeImage(animation).webp().toBuffer());
  expect(drawn).toMatchObject({ pages: 2, copyright });
  expect(drawn.xmpAsString).toContain("a photo");
});

it.each(["w:50", "rot:90"])("only the copyright stays by default: %s", async (options) => {
  const drawn = await draw(options);
  expect(drawn).toMatchObject({ copyright, hasComment: false });
  expect(drawn.xmp).toBeUndefined();
});

it("a picture of a source without metadata has none", async () => {
  const drawn = await draw("sm:0/rot:90", paint("red").jpeg().toBuffer());
  expect(drawn).toMatchObject({ width: 100, height: 200, hasComment: false });
  expect(drawn.exif ?? drawn.xmp).toBeUndefined();
});

it("the pixels of a picture with metadata are those of one without", async () => {
  const source = makeTestImage({ width: 60, height: 40 });
  const photo = describeImage(source).jpeg().toBuffer();
  const [kept, stripped] = [await draw("sm:0/rot:90", photo), await draw("rot:90", photo)];
  expect(kept.samples.equals(stripped.samples)).toBe(true);
});
