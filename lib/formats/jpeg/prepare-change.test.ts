import { describe, expect, test } from "vitest";
import { transformOf } from "#lib/media/transform.ts";
import { paintNoise } from "#tests/samples/images/images.ts";
import { markers, readJpeg, writeJpeg } from "./jpeg-file.ts";
import { prepareCrop, prepareTransform } from "./prepare-change.ts";

/** EXIF orientations; the transform of each makes such an image upright. */
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

const prepare = (file: Buffer, orientation: number) =>
  prepareTransform(file, 1, transformOf(orientation));

const paint = async (width: number, height: number, options = {}) =>
  (await paintNoise(width, height)).jpeg({ chromaSubsampling: "4:4:4", ...options }).toBuffer();

describe.each([false, true])("progressive: %s", (progressive) => {
  test("a file is read and written as it is", async () => {
    const file = await paint(96, 64, { progressive });
    const read = readJpeg(file);
    const unit = { width: 8, height: 8 };
    expect(read).toMatchObject({ width: 96, height: 64, isProgressive: progressive, unit });
    expect(writeJpeg(read?.segments ?? []).equals(file)).toBe(true);
    expect(prepare(file, 6)).toEqual({ bytes: file, isProgressive: progressive });
  });

  test("what follows the end is left out, and a file without an end is left to the decoder", async () => {
    const file = await paint(96, 64, { progressive });
    const longer = Buffer.concat([file, await paint(32, 32)]);
    expect(prepare(longer, 6)?.bytes.equals(file)).toBe(true);
    for (const share of [0.02, 0.3, 0.9]) {
      const part = file.subarray(0, Math.floor(file.length * share));
      expect(prepare(part, 6)).toBeUndefined();
    }
    expect(prepare(file.subarray(0, -2), 6)).toBeUndefined();
    expect(prepareCrop(file.subarray(0, -2), boxAt(0, 0))).toBeUndefined();
  });
});

const boxAt = (left: number, top: number) => ({ left, top, width: 10, height: 10 });

describe("a size that is no multiple of a block", () => {
  test.each([
    [96, 61, [1, 2, 5, 8]],
    [90, 64, [1, 4, 5, 6]],
    [90, 61, [1, 5]],
  ])(
    "%i × %i: an axis with a partial block cannot be reversed",
    async (width, height, possible) => {
      const file = await paint(width, height);
      expect(orientations.filter((orientation) => prepare(file, orientation))).toEqual(possible);
    },
  );

  test("4:2:0 has units of 16 pixels", async () => {
    const file = await paint(88, 64, { chromaSubsampling: "4:2:0" });
    expect(prepare(file, 2)).toBeUndefined();
    expect(prepare(file, 4)).toBeDefined();
    expect(prepareCrop(file, boxAt(16, 32))).toBeDefined();
    expect(prepareCrop(file, boxAt(8, 32))).toBeUndefined();
    expect(prepareCrop(file, boxAt(16, 24))).toBeUndefined();
  });
});

describe("segments", () => {
  const segment = (marker: number, content: string) => {
    const bytes = Buffer.from(content, "latin1");
    return Buffer.concat([Buffer.from([0xff, marker, 0, bytes.length + 2]), bytes]);
  };
  const app = (number: number, content: string) => segment(markers.app0 + number, content);
  /** Paints a JPEG with segments after SOI, before all others. */
  const paintWith = async (...segments: Buffer[]) => {
    const file = await paint(96, 64);
    return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
  };
  const contents = (prepared: { bytes: Buffer } | undefined) =>
    readJpeg(prepared?.bytes ?? Buffer.alloc(0))?.segments.map(({ content }) =>
      content.toString("latin1"),
    );

  test("lists of images that are not copied, and previews, are left out", async () => {
    const jfif = app(0, "JFIF\0\x01\x02\x01\0\xcc\0\x62\x01\x01abc");
    const file = await paintWith(jfif, app(0, "JFXX\0\x10abc"), app(2, "MPF\0abc"), app(5, "kept"));
    const found = contents(prepare(file, 6));
    expect(found?.slice(0, 2)).toEqual(["JFIF\0\x01\x02\x01\0\x62\0\xcc\0\0", "kept"]);
    expect(contents(prepare(file, 3))?.[0]).toBe("JFIF\0\x01\x02\x01\0\xcc\0\x62\0\0");
    expect(contents(prepareCrop(file, boxAt(8, 8)))?.slice(0, 2)).toEqual([
      "JFIF\0\x01\x02\x01\0\xcc\0\x62\0\0",
      "kept",
    ]);
  });

  test("a preview between two scans is left out, too", async () => {
    const file = await paint(96, 64, { progressive: true });
    const at = file.lastIndexOf(Buffer.from([0xff, markers.sos]));
    const hidden = [app(2, "MPF\0hidden"), app(5, "kept")];
    const hiding = Buffer.concat([file.subarray(0, at), ...hidden, file.subarray(at)]);
    const prepared = prepare(hiding, 6);
    expect(contents(prepared)).toContain("kept");
    expect(prepared?.bytes.includes("hidden")).toBe(false);
  });

  test("a file whose EXIF data has another orientation than was read is not transformed", async () => {
    const entry = "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    const exif = app(1, `Exif\0\0II\x2a\0\x08\0\0\0\x01\0${entry}\0\0\0\0`);
    const file = await paintWith(exif);
    expect(prepare(file, 6)).toBeUndefined();
    const moved = contents(prepareTransform(file, 6, transformOf(6)));
    expect(moved?.[0]).toContain("\x12\x01\x03\0\x01\0\0\0\x01\0\0\0");
    // The directory is outside of the data.
    const damaged = await paintWith(app(1, "Exif\0\0MM\0\x2a\x7f\xff\xff\xff"));
    expect(prepare(damaged, 6)).toBeDefined();
  });

  test.each([
    ["no JPEG", () => Buffer.from("\x89PNG\r\n", "latin1")],
    ["nothing but an end", () => Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ["a segment that is longer than the file", () => Buffer.from("ffd8ffe1ffff00", "hex")],
    ["a segment of no length", () => Buffer.from("ffd8ffe10000ffd9", "hex")],
    ["a frame without components", () => frame("080008000800")],
    ["a frame of 12 bits per sample", () => frame("0c0008000801011100")],
    ["a frame of no height", () => frame("080000000801011100")],
    ["a sampling factor of 0", () => frame("080008000801010100")],
    ["a frame that ends early", () => frame("08000800")],
    ["a lossless frame", () => frame("080008000801011100", 0xc3)],
  ])("%s is left to the decoder", (_, make) => {
    expect(readJpeg(make())).toBeUndefined();
  });

  /** A file of nothing but the header of a frame, in hex. */
  const frame = (content: string, marker = 0xc0) =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(marker, Buffer.from(content, "hex").toString("latin1")),
      Buffer.from([0xff, 0xd9]),
    ]);

  test("a single component has units of one block, with any sampling factors", () => {
    const unit = { width: 8, height: 8 };
    expect(readJpeg(frame("080008000801012200"))).toMatchObject({ unit });
    const two = frame("080008000802014100021200");
    expect(readJpeg(two)).toMatchObject({ unit: { width: 32, height: 16 } });
  });
});
