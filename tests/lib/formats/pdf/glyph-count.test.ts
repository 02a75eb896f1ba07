import { expect, it } from "vitest";
import { countGlyphs } from "#lib/formats/pdf/text/glyph-count.ts";

/** A font of two tables, of which the second is `maxp`. */
function makeFont(glyphs: number): Buffer {
  const font = Buffer.alloc(12 + 2 * 16 + 6);
  font.writeUInt32BE(0x00010000, 0);
  font.writeUInt16BE(2, 4);
  font.write("head", 12, "latin1");
  font.write("maxp", 28, "latin1");
  font.writeUInt32BE(44, 36);
  font.writeUInt16BE(glyphs, 48);
  return font;
}

it("is what the font declares", () => {
  expect(countGlyphs(makeFont(4711))).toBe(4711);
});

it("is 0 of a font that ends early, or has no such table", () => {
  const font = makeFont(4711);
  for (const length of [0, 11, 12, 40, 47]) expect(countGlyphs(font.subarray(0, length))).toBe(0);
  font.write("none", 28, "latin1");
  expect(countGlyphs(font)).toBe(0);
});
