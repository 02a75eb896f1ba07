import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { renderRuns, trimRuns } from "../content/html.ts";
import { findAlignedTable } from "./aligned-tables.ts";
import { renderCell, renderTable } from "./cells.ts";
import { renderCode } from "./code.ts";
import { type Row, type Segment, toSegment } from "./lines.ts";
import { type Item, readMarker, renderItems } from "./lists.ts";
import { enclose } from "./page.ts";
import { type FontStatistics, headingLevel, joinLines, roundSize } from "./text-style.ts";

/** A line of a region, which has one column. */
export interface Line extends Segment {
  /** The gap to the line above; infinite for the first. */
  readonly gap: number;
}

/** Dots that lead to a page number, in a table of contents. */
const leader = /(?<!\.\s?)(?:\.\s?){5,}\s*\S{1,6}$/;

/** A heading is shorter, in characters. */
const maxHeading = 200;

/** The rows of one region as HTML. */
export function renderRegion(region: readonly Row[], fonts: FontStatistics): string {
  const rows = joinJustified(region);
  const parts: string[] = [];
  let lines: Row[] = [];
  const flush = () => {
    parts.push(renderLines(toLines(lines), fonts));
    lines = [];
  };
  for (let index = 0; index < rows.length; ) {
    const table = findAlignedTable(rows, index);
    if (table) {
      flush();
      parts.push(renderTable(table.cells.map((row) => row.map((cell) => renderCell(cell)))));
      index = table.end;
    } else {
      lines.push(...rows.slice(index, ++index));
    }
  }
  flush();
  return parts.join("");
}

/** Rows of justified text, whose words may be far apart in a narrow column, as one segment. */
function joinJustified(rows: readonly Row[]): Row[] {
  const { left, right } = enclose(rows);
  const isFull = (row: Row) => row.left < left + 20 && row.right > right - 3;
  const plain = rows.filter((row) => row.segments.length === 1 && isFull(row)).length;
  if (plain * 3 < rows.length) return [...rows];
  return rows.map((row) => {
    const isJustified = isFull(row) && row.segments.every(({ text }) => !text.includes(" "));
    if (row.segments.length < 2 || !isJustified) return row;
    return { ...row, segments: [toSegment(row.segments.flatMap(({ runs }) => runs))] };
  });
}

function toLines(rows: readonly Row[]): Line[] {
  return rows.map((row, index) => {
    const above = rows[index - 1];
    const segment = toSegment(row.segments.flatMap(({ runs }) => runs));
    return {
      ...segment,
      gap: above ? segment.baseline - (above.segments[0]?.baseline ?? 0) : Number.POSITIVE_INFINITY,
    };
  });
}

function renderLines(lines: readonly Line[], fonts: FontStatistics): string {
  const parts: string[] = [];
  const box = enclose(lines);
  const { pitch } = fonts;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (!line) break;
    let end = index + 1;
    const level = findLevel(line, lines, index, fonts);
    if (level !== undefined) {
      while (continuesHeading(lines, end, level, fonts)) end++;
      parts.push(
        `<h${level}>${renderRuns(trimRuns(joinLines(lines.slice(index, end), true)))}</h${level}>`,
      );
    } else if (isCode(line)) {
      while (end < lines.length && isCode(lines[end])) end++;
      parts.push(renderCode(lines.slice(index, end)));
    } else if (leader.test(line.text)) {
      while (leader.test(lines[end]?.text ?? "")) end++;
      parts.push(renderContents(lines.slice(index, end)));
    } else if (readMarker(line)) {
      const items: Item[] = [];
      end = readItems(lines, index, items, fonts);
      parts.push(renderItems(items));
    } else {
      while (end < lines.length && continuesParagraph(lines, end, box, pitch, fonts)) end++;
      const first = index;
      const isBreak = (line: number) =>
        isShort(lines[first + line - 1], lines[first + line], box, 0.75);
      const text = joinLines(lines.slice(index, end), false, isBreak);
      parts.push(`<p>${renderRuns(trimRuns(text))}</p>`);
    }
    index = end;
  }
  return parts.join("");
}

/** The level of the heading that a line begins; undefined if it is other text. */
function findLevel(line: Line, lines: readonly Line[], index: number, fonts: FontStatistics) {
  if (line.text.length > maxHeading || leader.test(line.text) || !/[\p{L}\p{N}]/u.test(line.text))
    return undefined;
  const level = headingLevel(line.size, fonts);
  if (level !== undefined) return level;
  const isBold = line.runs.every(({ bold, text }) => bold || text.trim() === "");
  if (!isBold || line.size < fonts.bodySize - 0.6 || /[.,;:]$/.test(line.text)) return undefined;
  // A bold line with a gap above, followed by text that is not bold, close below.
  const next = lines[index + 1];
  const isApart = line.gap > 1.35 * line.size;
  const below =
    next &&
    next.gap < 2.5 * line.size &&
    next.runs.some(({ bold, text }) => !bold && text.trim() !== "");
  return isApart && below ? Math.min(fonts.headingSizes.length + 1, 6) : undefined;
}

function continuesHeading(
  lines: readonly Line[],
  index: number,
  level: number,
  fonts: FontStatistics,
) {
  const above = lines[index - 1];
  const line = lines[index];
  if (!above || !line || line.gap > 1.6 * above.size) return false;
  return roundSize(line.size) === roundSize(above.size) && headingLevel(line.size, fonts) === level;
}

/** The lines of a table of contents as a list. */
function renderContents(lines: readonly Line[]): string {
  const items = lines.map(({ text }) => {
    const [dots = ""] = leader.exec(text) ?? [];
    const page = dots.replace(/^[.\s]+/, "");
    return `<li>${escapeHtml(`${text.slice(0, -dots.length).trim()} … ${page}`)}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

function isCode(line: Line | undefined): boolean {
  return line?.runs.every(({ mono, text }) => mono || text.trim() === "") ?? false;
}

/** Reads the items from `index` on; returns the index of the line after them. */
function readItems(
  lines: readonly Line[],
  index: number,
  items: Item[],
  fonts: FontStatistics,
): number {
  let end = index;
  while (end < lines.length) {
    const line = lines[end];
    const marker = line && readMarker(line);
    if (!line || !marker || (end > index && line.gap > 3 * line.size)) break;
    if (end > index && findLevel(line, lines, end, fonts) !== undefined) break;
    const texts = [marker.content];
    let next = lines[++end];
    while (
      next &&
      !readMarker(next) &&
      continuesItem(next, line, marker.textLeft) &&
      !headingLevel(next.size, fonts)
    ) {
      texts.push(next);
      next = lines[++end];
    }
    items.push({ left: line.left, marker, lines: texts });
  }
  return end;
}

/** A further line of an item is aligned with its text. */
function continuesItem(line: Line, first: Line, textLeft: number): boolean {
  return (
    line.gap < 1.75 * Math.max(line.size, first.size) &&
    line.left > first.left + 2 &&
    line.left < textLeft + 2 * line.size
  );
}

function continuesParagraph(
  lines: readonly Line[],
  index: number,
  box: { left: number; right: number },
  pitch: number,
  fonts: FontStatistics,
): boolean {
  const above = lines[index - 1];
  const line = lines[index];
  if (!above || !line || readMarker(line) || isCode(line) || leader.test(line.text)) return false;
  if (findLevel(line, lines, index, fonts) !== undefined) return false;
  if (Math.abs(line.size - above.size) > 0.12 * above.size) return false;
  if (line.gap > Math.max(1.3 * pitch, 1.15) * Math.max(line.size, above.size) || line.gap < 0)
    return false;
  const isRightToLeft = line.runs.some(({ rightToLeft }) => rightToLeft);
  if (isRightToLeft) return true;
  // A first line is indented; the last one of a paragraph is short and ends a sentence.
  const isIndented = line.left > above.left + 0.8 * line.size && above.left < box.left + 3;
  return !isIndented && !(isShort(above, line, box) && /[.!?:;”")]$/.test(above.text));
}

/**
 * Whether the first word of a line would have had a place at the end of the line above, and that takes
 * less than `share` of the width.
 */
function isShort(
  above: Line | undefined,
  line: Line | undefined,
  { left, right }: { left: number; right: number },
  share = 1,
): boolean {
  if (!above || !line || line.runs.some(({ rightToLeft }) => rightToLeft)) return false;
  const word = (line.text.split(" ")[0] ?? "").length * line.size * 0.6;
  return (
    above.right < left + share * (right - left) && above.right + word + 0.5 * line.size < right
  );
}
