import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { median } from "./columns.ts";
import type { Segment } from "./lines.ts";
import { enclose } from "./page.ts";

/** Lines in a font of one width as code, with the spaces that they have on the page. */
export function renderCode(lines: readonly (Segment & { readonly gap: number })[]): string {
  const { left } = enclose(lines);
  const width = characterWidth(lines);
  const texts = lines.map((line, index) => {
    const isApart = index > 0 && line.gap > 1.9 * line.size;
    return `${isApart ? "\n" : ""}${layOut(line, left, width)}`;
  });
  const [only = ""] = texts;
  if (texts.length === 1) return `<p><code>${escapeHtml(only.trim())}</code></p>`;
  return `<pre><code>${escapeHtml(texts.join("\n"))}</code></pre>`;
}

/** The width of a character: the median of the runs. */
function characterWidth(lines: readonly Segment[]): number {
  const runs = lines.flatMap((line) => line.runs).filter(({ text }) => text.trim().length > 2);
  return median(runs.map(({ left, right, text }) => (right - left) / text.trimEnd().length)) || 6;
}

/** The largest column; no line of code is wider. */
const maxColumn = 400;

function layOut({ runs }: Segment, left: number, width: number): string {
  let text = "";
  for (const run of runs) {
    const column = Math.min(Math.round((run.left - left) / width), maxColumn);
    const gap = column - text.length;
    text = `${gap > 1 || text === "" ? text.padEnd(column) : text}${run.text}`;
  }
  return text.trimEnd();
}
