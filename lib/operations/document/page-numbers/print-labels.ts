import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { escapeText } from "#lib/formats/markup/escape.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { cssColor, printOwnPage } from "../../shared/to-pdf/print-own-page.ts";

export interface LabelRequest {
  readonly texts: readonly string[];
  /** The font size in points. */
  readonly font_size: number;
  readonly color: string;
  /** Where the text is in its box: 0 left or top, 0.5 in the middle, 1 right or bottom. */
  readonly anchor: { readonly across: number; readonly down: number };
}

/** The smallest width in points; Chromium prints no smaller pages. */
const minWidth = 72;
const minHeight = 30;

const heightPerFontSize = 1.6;

const pixelsPerPoint = 96 / 72;

/** Kept free around the text, in font sizes: some letters reach beyond their own width. */
const padding = 0.1;

/** Makes all pages as wide as the widest text, so that all texts keep one size. Lengths are in CSS pixels. */
const fitScript = (size: number, height: number) => `
  const widths = [...document.querySelectorAll("bdi")].map((text) => text.getBoundingClientRect().width);
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const free = ${2 * padding * size * pixelsPerPoint};
  const width = Math.ceil(Math.max(${minWidth * pixelsPerPoint}, widest + free)) + "px";
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@page { margin: 0; size: " + width + " ${height}pt } p { width: " + width + " }");
  document.adoptedStyleSheets.push(sheet);
`;

/** Prints each text on a page of its own, so that it stays text, in any script and with its fonts. */
export async function printLabels(
  { texts, font_size: size, color, anchor }: LabelRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const height = Math.max(minHeight, size * heightPerFontSize);
  const ends = ["flex-start", "center", "flex-end"];
  const style = `
    body { margin: 0; font: ${size}pt/1.2 "Noto Sans", sans-serif; color: ${cssColor(color)};
      text-rendering: geometricPrecision; }
    p { margin: 0; height: ${height - 1}pt; overflow: hidden; white-space: pre; display: flex;
      break-after: page; justify-content: ${ends[anchor.across * 2]}; align-items: ${ends[anchor.down * 2]}; }
    p:last-of-type { break-after: auto; }`;
  const labels = texts.map((text) => `<p><bdi>${escapeText(text)}</bdi></p>`).join("");
  const html = `<!doctype html><meta charset="utf-8"><style>${style}</style>${labels}<script>${fitScript(size, height)}</script>`;
  const printed = await printOwnPage(html, "own", work, signal);
  return normalizePdf(printed, work, signal);
}
