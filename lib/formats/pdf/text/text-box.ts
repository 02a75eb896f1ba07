import { z } from "zod";
import { escapeText } from "#lib/formats/markup/escape.ts";

/** Text in a rectangle, which Chromium draws: it shapes and orders any script and embeds its fonts. */

/** A length in points; a page of a PDF has at most 14,400. */
const length = z.number().positive().max(14_400);

const textBoxSchema = z.strictObject({
  text: z.string().max(100_000),
  width: length,
  height: length,
  /**
   * The font size in points; 0 chooses a size that fits. Text that does not fit is made smaller.
   */
  fontSize: z.number().min(0).max(500),
  family: z.enum(["sans", "serif", "mono"]),
  isBold: z.boolean(),
  isItalic: z.boolean(),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  /** `start` is the right side for text in Arabic or Hebrew. */
  align: z.enum(["start", "center", "right"]),
  /** Whether lines are wrapped, and begin at the top. */
  isMultiline: z.boolean(),
  /** The number of cells of equal width, of which each has one character. */
  cells: z.number().int().min(1).max(1000).optional(),
  /** Whether each line is an option of a list: lines are not wrapped, and the size is not reduced. */
  isList: z.boolean().optional(),
});

export type TextBox = z.output<typeof textBoxSchema>;

export const textBoxesSchema = z.array(textBoxSchema).max(5000);

const families = {
  sans: '"Liberation Sans", Arimo, Helvetica, "Noto Sans", "DejaVu Sans", sans-serif',
  serif: '"Liberation Serif", Tinos, Times, "Noto Serif", serif',
  mono: '"Liberation Mono", Cousine, Courier, "Noto Sans Mono", monospace',
} as const;

/** Points between the edge of a field and its text. */
export const padding = 2;

/** The smallest font size in points; a smaller one is not readable. */
const minFontSize = 4;

/** The size of text that has no size of its own, which readers use as well. */
export const automaticFontSize = 12;

/** Points between the top of one line and the next, for each point of the font size. */
export const lineHeight = 1.2;

const styles = `
  html, body { margin: 0; padding: 0 }
  .box { position: relative; overflow: hidden; break-after: page; box-sizing: border-box }
  .box:last-child { break-after: auto }
  .text { position: absolute; inset: 0; padding: 0 ${padding}pt; display: flex; align-items: center;
    line-height: ${lineHeight} }
  .text > span { flex: 1 0 auto; max-width: 100%; white-space: pre; unicode-bidi: plaintext }
  .lines { align-items: flex-start; padding: ${padding}pt }
  .lines > span { flex: 1 1 0; min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere }
  .list > span { white-space: pre }
  .cells { padding: 0 }
  .cells > span { flex: 1 1 0; max-width: none; min-width: 0; text-align: center }
`;

/** Reduces the size of text that is wider or higher than its box. */
const fitScript = `
  for (const box of document.querySelectorAll(".text")) {
    const inner = box.firstElementChild;
    const fits = () => {
      if (box.matches(".cells, .list")) return true;
      const range = document.createRange();
      range.selectNodeContents(inner);
      const { width, height } = range.getBoundingClientRect();
      const room = box.getBoundingClientRect();
      const isMultiline = box.classList.contains("lines");
      return width <= room.width - ${(2 * padding * 4) / 3} + 0.5 &&
        height <= room.height - (isMultiline ? ${(2 * padding * 4) / 3} : 0) + 0.5;
    };
    let size = Number(box.dataset.size);
    while (!fits() && size > ${minFontSize}) {
      size = Math.max(${minFontSize}, size * 0.95);
      box.style.fontSize = size + "pt";
    }
  }
`;

/** A document in which each box begins a page, at its top left corner. */
export function textBoxesHtml(boxes: readonly TextBox[]): string {
  const pages = boxes.map(boxHtml).join("\n");
  return `<!doctype html><meta charset="utf-8"><style>${styles}</style>${pages}<script>${fitScript}</script>`;
}

function boxHtml(box: TextBox): string {
  const size = box.fontSize > 0 ? box.fontSize : automaticSize(box);
  const style = [
    `font-family: ${families[box.family]}`.replaceAll('"', "'"),
    `font-size: ${size}pt`,
    `font-weight: ${box.isBold ? 700 : 400}`,
    `font-style: ${box.isItalic ? "italic" : "normal"}`,
    `color: ${box.color}`,
    `text-align: ${box.align}`,
  ].join("; ");
  const lines = box.isList ? "text lines list" : "text lines";
  const kind = box.cells ? "text cells" : box.isMultiline ? lines : "text";
  const content = box.cells
    ? splitCharacters(box.text, box.cells)
        .map((character) => `<span>${escapeText(character)}</span>`)
        .join("")
    : `<span dir="auto">${escapeText(box.text)}</span>`;
  const place = `width: ${box.width}pt; height: ${box.height}pt`;
  return `<div class="box" style="${place}"><div class="${kind}" data-size="${size}" style="${style}">${content}</div></div>`;
}

function automaticSize({ height, isMultiline }: TextBox): number {
  const largest = isMultiline ? automaticFontSize : (height - 2) / lineHeight;
  return Math.max(minFontSize, Math.min(automaticFontSize, largest));
}

/** The characters as people see them, filled up to `count` with empty text. */
function splitCharacters(text: string, count: number): string[] {
  const found = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return Array.from({ length: count }, (_, index) => found[index] ?? "");
}
