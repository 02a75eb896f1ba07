import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  StandardFontEmbedder,
  StandardFonts,
} from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";

type FontName = Parameters<typeof StandardFontEmbedder.for>[0];

/** The codes of strings in a font, and the widths of their glyphs. */
export interface GlyphWidths {
  /** The bytes of a code. */
  readonly codeBytes: 1 | 2;
  /** The width of a glyph for a font size of 1. */
  widthOf(code: number): number;
}

/**
 * Reads the widths of a font. Returns undefined if the positions of glyphs cannot be computed with
 * certainty.
 */
export function readGlyphWidths(font: PDFDict): GlyphWidths | undefined {
  const type = font.lookup(key("Subtype"));
  if (type === key("Type0")) return readCompositeWidths(font);
  const widths = font.lookup(key("Widths"));
  const first = font.lookup(key("FirstChar"));
  if (!(widths instanceof PDFArray && first instanceof PDFNumber)) return readStandardWidths(font);
  const descriptor = font.lookup(key("FontDescriptor"));
  const missing =
    descriptor instanceof PDFDict ? numberOf(descriptor.lookup(key("MissingWidth"))) : 0;
  const scale = type === key("Type3") ? readScale(font) : 0.001;
  if (scale === undefined) return undefined;
  const list = widths.asArray().map((_, index) => numberOf(widths.lookup(index)));
  const start = first.asNumber();
  return { codeBytes: 1, widthOf: (code) => (list[code - start] ?? missing) * scale };
}

const numberOf = (value: unknown) => (value instanceof PDFNumber ? value.asNumber() : 0);

/** The horizontal scale of the matrix of a Type 3 font. */
function readScale(font: PDFDict): number | undefined {
  const matrix = font.lookup(key("FontMatrix"));
  return matrix instanceof PDFArray && matrix.size() === 6 ? numberOf(matrix.lookup(0)) : undefined;
}

function readCompositeWidths(font: PDFDict): GlyphWidths | undefined {
  if (font.lookup(key("Encoding")) !== key("Identity-H")) return undefined;
  const descendants = font.lookup(key("DescendantFonts"));
  const descendant = descendants instanceof PDFArray ? descendants.lookup(0) : undefined;
  if (!(descendant instanceof PDFDict)) return undefined;
  const given = descendant.lookup(key("DW"));
  const initial = given instanceof PDFNumber ? given.asNumber() : 1000;
  const widths = new Map<number, number>();
  const list = descendant.lookup(key("W"));
  const items =
    list instanceof PDFArray ? list.asArray().map((_, index) => list.lookup(index)) : [];
  for (let index = 0; index + 1 < items.length; ) {
    const first = numberOf(items[index]);
    const second = items[index + 1];
    if (second instanceof PDFArray) {
      for (let at = 0; at < second.size(); at++)
        widths.set(first + at, numberOf(second.lookup(at)));
      index += 2;
    } else {
      const last = Math.min(numberOf(second), 65_535);
      for (let code = first; code <= last; code++) widths.set(code, numberOf(items[index + 2]));
      index += 3;
    }
  }
  return { codeBytes: 2, widthOf: (code) => (widths.get(code) ?? initial) / 1000 };
}

/** The fonts that every reader has need no widths in the file. */
function readStandardWidths(font: PDFDict): GlyphWidths | undefined {
  const name = font.lookup(key("BaseFont"));
  const text = name instanceof PDFName ? name.decodeText() : "";
  const known = Object.values(StandardFonts).find((candidate) => candidate === text);
  const isText = known && known !== StandardFonts.Symbol && known !== StandardFonts.ZapfDingbats;
  if (!isText || font.lookup(key("Encoding")) instanceof PDFDict) return undefined;
  // The type of the parameter is an enumeration with the same values.
  const metrics = StandardFontEmbedder.for(known as unknown as FontName);
  const decoder = new TextDecoder("windows-1252");
  const widthOf = (code: number) => {
    try {
      return metrics.widthOfTextAtSize(decoder.decode(Uint8Array.of(code)), 1);
    } catch {
      // No glyph has this code.
      return 0;
    }
  };
  return { codeBytes: 1, widthOf };
}
