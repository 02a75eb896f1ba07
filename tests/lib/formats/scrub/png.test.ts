import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { orientationExif } from "#lib/formats/scrub/exif.ts";
import { scrubImage } from "#lib/formats/scrub/image.ts";
import { planPng, planPngTags } from "#lib/formats/scrub/images/png.ts";
import { clearImage } from "#lib/formats/scrub/legacy-office/clear-image.ts";
import { TooManyPatchesError } from "#lib/formats/scrub/patch.ts";
import type { Segment } from "#lib/formats/scrub/segments.ts";
import { makeBlackPng, pngChunk } from "#tests/samples/images/image-bytes.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

const makePng = (chunks: readonly Buffer[]) => makeBlackPng({ width: 8, height: 8, chunks });
const plain = makePng([]);
const secretChunk = (name: string) => pngChunk(name, Buffer.from("Secret"));
const exifChunk = (orientation: number) => pngChunk("eXIf", orientationExif(orientation));

/** What `plan` leaves of `bytes`, and how often it reads. */
async function run(plan: typeof planPng, bytes: Buffer): Promise<{ bytes: Buffer; reads: number }> {
  let reads = 0;
  const segments = await plan({
    size: bytes.length,
    read: async (offset, length) => {
      reads++;
      return bytes.subarray(offset, offset + length);
    },
  });
  const contentOf = (segment: Segment) =>
    "bytes" in segment ? segment.bytes : bytes.subarray(segment.start, segment.end);
  return { bytes: Buffer.concat(segments.map(contentOf)), reads };
}

/** The ways in which a PNG is stripped: as a file, in documents, and in documents where nothing may move. */
const strips: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  file: async (bytes) => (await run(planPng, bytes)).bytes,
  document: async (bytes) => scrubImage(bytes) ?? bytes,
  "legacy document": (bytes) => scrubBytes(bytes, async () => clearImage(bytes)),
};

describe.each(Object.entries(strips))("of a PNG in a %s", (kind, strip) => {
  const removed = ["tEXt", "tIME", "caBX", "zxIf", "zXIf", "exIf", "tXMP", "prVt", "skMf", "meTa"];
  test.each([...removed, "gIFt", "gIFx", "dSIG", "iDOT", "SECR"])("%s is removed", async (name) => {
    const stripped = await strip(makePng([secretChunk(name)]));
    expect(stripped.includes("Secret")).toBe(false);
    expect(stripped.includes(name)).toBe(false);
    if (kind !== "legacy document") expect(stripped).toEqual(plain);
  });

  test.each([
    ["the parts of an animation", ["acTL", "fcTL", "fdAT"]],
    ["colors and palettes", ["iCCP", "cICP", "gAMA", "cHRM", "sBIT", "sRGB", "mDCV", "cLLI"]],
    ["transparency, background, size and place", ["tRNS", "bKGD", "pHYs", "oFFs", "sTER"]],
    ["palettes", ["PLTE", "hIST", "sPLT"]],
  ])("%s stay", async (_, names) => {
    const png = makePng(names.map((name) => pngChunk(name, deflateSync(Buffer.from(name)))));
    expect(await strip(png)).toEqual(png);
  });

  test("the first chunk of Apple's PNG stays", async () => {
    const parts = [plain.subarray(0, 8), pngChunk("CgBI", Buffer.alloc(4, 6)), plain.subarray(8)];
    const png = Buffer.concat(parts);
    expect(await strip(png)).toEqual(png);
  });
});

test.each(["file", "document"])("the first EXIF chunk of a PNG in a %s counts", async (kind) => {
  const exif = [exifChunk(6), exifChunk(8), exifChunk(3)];
  expect(await strips[kind]?.(makePng(exif))).toEqual(makePng(exif.slice(0, 1)));
  expect(await strips[kind]?.(makePng([exifChunk(1), exifChunk(8)]))).toEqual(plain);
});

test("the animation that Office put into a PNG stays", async () => {
  const png = makePng([pngChunk("msOG", Buffer.from("MSOFFICE9.0GIF89a"))]);
  expect(await strips["legacy document"]?.(png)).toEqual(png);
  expect(await strips.file?.(png)).toEqual(plain);
});

test("thousands of EXIF chunks are not read one by one", async () => {
  const png = makePng(Array.from({ length: 10_000 }, () => exifChunk(6)));
  expect((await run(planPng, png)).reads).toBeLessThan(20);
});

test("more parts than can be copied are an error of their own", async () => {
  const pair = [secretChunk("tEXt"), pngChunk("sPLT", Buffer.alloc(1))];
  const png = makePng(Array.from({ length: 10_001 }, () => pair).flat());
  await expect(run(planPng, png)).rejects.toThrow(TooManyPatchesError);
});

test("the names of tags are read from the first 1000 chunks that are removed", async () => {
  const kept = Array.from({ length: 2000 }, () => pngChunk("sPLT", Buffer.alloc(1)));
  const texts = Array.from({ length: 1001 }, (_, index) =>
    pngChunk("tEXt", Buffer.from(`Key${index}\0Secret`)),
  );
  const { bytes } = await run(planPngTags, makePng([...kept, ...texts]));
  expect([bytes.includes("Key999\0"), bytes.includes("Key1000\0")]).toEqual([true, false]);
});
