import {
  identity,
  type Matrix,
  multiply,
  transformBox,
  transformPoint,
} from "#lib/formats/pdf/structure/matrix.ts";
import type { GlyphWidths } from "./glyph-widths.ts";
import { type Glyph, UncertainContent } from "./rewriter.ts";
import type { Operand } from "./tokenize.ts";

/** What `q` saves and `Q` brings back, as far as it says where glyphs and drawings are. */
export interface State {
  readonly matrix: Matrix;
  readonly font: GlyphWidths | undefined;
  readonly size: number;
  readonly charSpace: number;
  readonly wordSpace: number;
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
}

export const initialState: State = {
  matrix: identity,
  font: undefined,
  size: 0,
  charSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};

/** Texts that were shown. */
interface ShownText {
  /** The array of `TJ` without the glyphs that are removed, whose space stays; undefined if none is removed. */
  readonly kept: string | undefined;
  /** The text matrix after the texts. */
  readonly textMatrix: Matrix;
}

/** Shows texts from `textMatrix` on. Throws `UncertainContent` if there is a text, but no known font. */
export function removeGlyphs(
  items: readonly Operand[],
  state: State,
  textMatrix: Matrix,
  removesGlyph: (glyph: Glyph) => boolean,
): ShownText {
  const { font, size, scale, charSpace, wordSpace } = state;
  let matrix = textMatrix;
  const parts: string[] = [];
  let kept = "";
  let gap = 0;
  let removed = false;
  const flush = () => {
    if (kept !== "") parts.push(`<${Buffer.from(kept, "latin1").toString("hex")}>`);
    kept = "";
  };
  const advance = (amount: number) => {
    matrix = multiply([1, 0, 0, 1, amount * scale, 0], matrix);
  };
  for (const item of items) {
    if (item.kind === "number") {
      const value = Number.parseFloat(item.raw) || 0;
      flush();
      gap += value;
      advance((-value / 1000) * size);
      continue;
    }
    if (item.kind !== "string" || item.text === "") continue;
    if (!font) throw new UncertainContent("a font");
    for (let at = 0; at + font.codeBytes <= item.text.length; at += font.codeBytes) {
      const bytes = item.text.slice(at, at + font.codeBytes);
      const code = Buffer.from(bytes, "latin1").readUIntBE(0, font.codeBytes);
      const isSpace = font.codeBytes === 1 && code === 32;
      const width = font.widthOf(code);
      const step = width * size + charSpace + (isSpace ? wordSpace : 0);
      if (removesGlyph(glyphAt(matrix, state, width))) {
        removed = true;
        flush();
        if (size !== 0) gap -= (step * 1000) / size;
      } else {
        if (gap !== 0) parts.push(gap.toFixed(3));
        gap = 0;
        kept += bytes;
      }
      advance(step);
    }
  }
  flush();
  if (gap !== 0) parts.push(gap.toFixed(3));
  return { kept: removed ? `[${parts.join(" ")}]` : undefined, textMatrix: matrix };
}

function glyphAt(textMatrix: Matrix, { size, scale, rise, matrix }: State, width: number): Glyph {
  const text = multiply([size * scale, 0, 0, size, 0, rise], multiply(textMatrix, matrix));
  return {
    center: transformPoint(text, width / 2, 0.3),
    box: transformBox(text, [0, -0.1, width, 0.7]),
  };
}
