import { describe, expect, test } from "vitest";
import { eraseExifPreviews } from "#lib/formats/previews/exif-previews.ts";
import { erasePhotoshopPreviews } from "#lib/formats/previews/photoshop-previews.ts";
import { eraseXmpPreviews } from "#lib/formats/previews/xmp-previews.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { cpuSeconds } from "#tests/support/processes.ts";
import { markers } from "../jpeg/jpeg-file.ts";
import { removePreviews } from "../jpeg/previews.ts";

const jpeg = await makeTestImage({ width: 32, height: 24 }).jpeg().toBuffer();

/** A little-endian entry of `type` 3 (SHORT), 4 (LONG) or 7 (UNDEFINED). */
function entry(tag: number, type: number, count: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeUInt32LE(count, 4);
  bytes.writeUInt32LE(value, 8);
  return bytes;
}

function directory(entries: readonly Buffer[], next: number): Buffer {
  const count = Buffer.alloc(2);
  const link = Buffer.alloc(4);
  count.writeUInt16LE(entries.length);
  link.writeUInt32LE(next);
  return Buffer.concat([count, ...entries, link]);
}

const header = Buffer.from("49492a0008000000", "hex");
/** Where the second directory begins: after the header, and a directory of one entry. */
const second = 8 + 2 + 12 + 4;

describe("EXIF", () => {
  test("a preview of uncompressed pixels is removed, and the first directory stays", () => {
    const pixels = Buffer.alloc(60, "pixels");
    const strips = second + 2 + 2 * 12 + 4;
    const main = directory([entry(0x0112, 3, 1, 6)], second);
    const preview = directory([entry(0x0111, 4, 1, strips), entry(0x0117, 3, 1, 60)], 0);
    const exif = Buffer.concat([header, main, preview, pixels]);
    const erased = eraseExifPreviews(exif);
    expect(erased).toEqual(
      Buffer.concat([header, directory([entry(0x0112, 3, 1, 6)], 0), Buffer.alloc(90)]),
    );
  });

  test("a JPEG in the maker's notes is removed, with its own preview, and the notes stay", () => {
    const nested = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xe5, (jpeg.length + 2) >> 8, (jpeg.length + 2) & 255]),
      jpeg,
      jpeg.subarray(2),
    ]);
    const notes = Buffer.concat([Buffer.from("Maker"), nested, Buffer.from("serial number")]);
    const main = directory([entry(0x927c, 7, notes.length, second)], 0);
    const exif = Buffer.concat([Buffer.from("Exif\0\0"), header, main, notes]);
    const erased = eraseExifPreviews(exif);
    const start = exif.length - notes.length + 5;
    const expected = Buffer.from(exif).fill(0, start, start + nested.length);
    expect(erased?.equals(expected)).toBe(true);
  });

  test.each([
    ["no preview", Buffer.concat([header, directory([entry(0x0112, 3, 1, 6)], 0)])],
    ["nothing", Buffer.alloc(0)],
    ["a directory past the end", Buffer.from("49492a00ffffff7f", "hex")],
  ])("%s changes nothing", (_, exif) => {
    expect(eraseExifPreviews(exif)).toBeUndefined();
  });

  test("directories in a circle end, and the first one stays", () => {
    const main = directory([entry(0x0112, 3, 1, 6)], second);
    const exif = Buffer.concat([header, main, directory([], 8)]);
    const erased = eraseExifPreviews(exif);
    const expected = [header, directory([entry(0x0112, 3, 1, 6)], 0), Buffer.alloc(6)];
    expect(erased).toEqual(Buffer.concat(expected));
  });

  test("parts of a picture that overlap are not set again and again", () => {
    const count = 300_000;
    const offsets = Buffer.alloc(4 * count);
    const sizes = Buffer.alloc(4 * count, 0xff);
    const at = second + 2 + 2 * 12 + 4;
    const entries = [entry(0x0111, 4, count, at), entry(0x0117, 4, count, at + offsets.length)];
    const main = directory([entry(0x0112, 3, 1, 6)], second);
    const exif = Buffer.concat([header, main, directory(entries, 0), offsets, sizes]);
    const start = cpuSeconds();
    expect(eraseExifPreviews(exif)).toBeDefined();
    expect(cpuSeconds() - start).toBeLessThan(5);
  });

  test("sizes past the end change nothing outside of the data", () => {
    const preview = directory([entry(0x0201, 4, 1, 30), entry(0x0202, 4, 1, 0xffff_fff0)], 0);
    const exif = Buffer.concat([header, directory([entry(0x0112, 3, 1, 6)], second), preview]);
    expect(
      eraseExifPreviews(exif)
        ?.subarray(second)
        .every((byte) => byte === 0),
    ).toBe(true);
  });
});

describe("XMP", () => {
  const base64 = jpeg.toString("base64");
  const packet = (inside: string) =>
    Buffer.from(
      `<x:xmpmeta><rdf:Description dc:title="Mühle">${inside}</rdf:Description></x:xmpmeta>`,
    );

  test.each([
    [
      "thumbnails",
      `<xmp:Thumbnails><rdf:Alt><rdf:li>${base64}</rdf:li></rdf:Alt></xmp:Thumbnails>`,
    ],
    ["an element", `<xmpGImg:image>\n${base64}</xmpGImg:image>`],
    ["an attribute", `<rdf:li GImage:Data="${base64}"/>`],
    ["lines of Base64", `<a:b>${base64.replaceAll(/.{76}/g, "$&&#xA;")}</a:b>`],
  ])("an image in %s is removed", (_, inside) => {
    const xmp = packet(inside);
    const erased = eraseXmpPreviews(xmp)?.toString() ?? "";
    expect(Buffer.byteLength(erased)).toBe(xmp.length);
    expect(erased).toContain('dc:title="Mühle"');
    for (let at = 0; at + 40 < base64.length; at += 40) {
      expect(erased).not.toContain(base64.slice(at, at + 20));
    }
  });

  test("an empty element hides none after it, and elements without an end take no time", () => {
    const between = "<dc:x>kept</dc:x>";
    const empty = "<a:Thumbnails/>";
    const full = "<b:Thumbnails>secret</b:Thumbnails>";
    const erased = eraseXmpPreviews(packet(empty + between + full))?.toString() ?? "";
    expect(erased).toContain(empty + between);
    expect(erased).not.toContain("secret");
    const many = "<a:Thumbnails>".repeat(200_000);
    const start = cpuSeconds();
    expect(eraseXmpPreviews(packet(`${many}</a:Thumbnails>`))?.toString()).not.toContain("Thumb");
    expect(cpuSeconds() - start).toBeLessThan(5);
  });

  test("other values stay", () => {
    expect(eraseXmpPreviews(packet("<dc:x>/9 or iVBOR</dc:x><xmp:Thumbnails/>"))).toBeUndefined();
  });
});

describe("Photoshop's resources", () => {
  const resource = (id: number, data: Buffer) => {
    const head = Buffer.from("8BIM\0\0\0\0\0\0\0\0", "latin1");
    head.writeUInt16BE(id, 4);
    head.writeUInt32BE(data.length, 8);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const caption = resource(0x0404, Buffer.from("caption"));

  test.each([0x0409, 0x040c])("the thumbnail %i becomes zeros, and the others stay", (id) => {
    const data = Buffer.concat([Buffer.alloc(28, 1), jpeg]);
    const all = Buffer.concat([Buffer.from("Photoshop 3.0\0"), resource(id, data), caption]);
    const zeros = resource(4000, Buffer.alloc(data.length));
    const expected = Buffer.concat([Buffer.from("Photoshop 3.0\0"), zeros, caption]);
    expect(erasePhotoshopPreviews(all)?.equals(expected)).toBe(true);
  });

  test("EXIF data in them loses its JPEG", () => {
    const erased = erasePhotoshopPreviews(Buffer.concat([caption, resource(0x0422, jpeg)]));
    expect(
      erased?.equals(Buffer.concat([caption, resource(0x0422, Buffer.alloc(jpeg.length))])),
    ).toBe(true);
  });

  test("resources without a thumbnail, or damaged ones, stay", () => {
    expect(erasePhotoshopPreviews(caption)).toBeUndefined();
    expect(erasePhotoshopPreviews(Buffer.from("8BIM\x04\x04\xff"))).toBeUndefined();
  });
});

test("a color profile of a JPEG stays, even if it has the bytes of a picture", () => {
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  const profile = {
    marker: markers.app2,
    content: Buffer.concat([Buffer.from("ICC_PROFILE\0"), start]),
  };
  const picture = { marker: markers.app2, content: Buffer.concat([Buffer.from("maker\0"), start]) };
  expect(removePreviews([profile, picture])).toEqual([profile]);
});
