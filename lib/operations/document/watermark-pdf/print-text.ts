import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { escapeText } from "#lib/formats/markup/escape.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { cssColor, printOwnPage } from "../../shared/to-pdf/print-own-page.ts";

export interface WatermarkText {
  readonly text: string;
  /** As CSS has it, or `0xRRGGBB`. */
  readonly color: string;
}

/** In CSS pixels. Large, because Chromium prints no pages narrower than an inch, which a short text would be. */
const fontSize = 500;

/** Where lines are wrapped, in font sizes, unless the text would be higher than wide then. */
const narrowest = 7.5;

/** In CSS pixels. A page of PDF is at most 200 inches long. */
const longestSide = 190 * 96;

/** Kept free around the text, in font sizes: some letters reach beyond their own width. */
const padding = 0.1;

const styles = `
  html, body { margin: 0; overflow: hidden }
  p { position: absolute; margin: 0; width: max-content; font: ${fontSize}px "Noto Sans", sans-serif;
    text-align: center; white-space: pre-wrap; overflow-wrap: anywhere }
`;

/** Wraps the text until it is as wide as high, and makes the page as large as the lines. Many lines get a smaller font. */
const fitScript = `
  const text = document.querySelector("p");
  for (let width = ${narrowest}; width < ${longestSide / fontSize}; width *= 1.1) {
    text.style.maxWidth = width + "em";
    if (text.offsetHeight <= width * ${fontSize}) break;
  }
  const fit = Math.min(1, ${longestSide - 2 * fontSize} / Math.max(text.offsetWidth, text.offsetHeight));
  text.style.fontSize = ${fontSize} * fit + "px";
  const range = document.createRange();
  range.selectNodeContents(text);
  const lines = range.getBoundingClientRect();
  // Higher than the lines of the range where another font has taller letters.
  const box = text.getBoundingClientRect();
  const free = ${padding * fontSize};
  text.style.left = free - lines.left + "px";
  text.style.top = free - box.top + "px";
  const sheet = new CSSStyleSheet();
  const side = (length) => Math.ceil(Math.max(96, length + 2 * free)) + "px";
  sheet.replaceSync("@page { margin: 0; size: " + side(lines.width) + " " + side(box.height) + " }");
  document.adoptedStyleSheets.push(sheet);
`;

/**
 * Prints a text of at most 500 characters on a page of its size, so that it stays text, in any script and with
 * its fonts. Throws like `printDocument`.
 */
export async function printText(
  { text, color }: WatermarkText,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const style = `color: ${cssColor(color)}`;
  const html = `<!doctype html><meta charset="utf-8"><style>${styles}</style><p dir="auto" style="${style}">${escapeText(text)}</p><script>${fitScript}</script>`;
  const printed = await printOwnPage(html, "own", work, signal);
  return normalizePdf(printed, work, signal);
}
