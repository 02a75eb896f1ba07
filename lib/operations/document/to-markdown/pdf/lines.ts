import type { Box, Run } from "./page.ts";
import { enclose } from "./page.ts";

/** Text on one baseline without a gap that could separate columns. */
export interface Segment extends Box {
  readonly runs: readonly Run[];
  readonly text: string;
  /** The largest font in it. */
  readonly size: number;
  readonly baseline: number;
}

/** Segments next to each other, from left to right. */
export interface Row extends Box {
  readonly segments: readonly Segment[];
}

/** A wider gap ends a segment; in units of the font's size. Justified text has gaps up to one. */
const segmentGap = 1.3;
/** A wider gap is a space that the file does not contain. */
const wordGap = 0.18;

/** An item's marker: a bullet, a number, or a letter with a point or parentheses. */
export const markerPattern =
  /^([•◦▪▫‣⁃∙·●○■□◆◇►▶➢➤✓✔❖\uf000-\uf0ff–—-]|o(?= |$)|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)])(?=\s|$)/;

/** The runs of a page as rows of segments, from the top. */
export function findRows(runs: readonly Run[]): Row[] {
  const rows: Run[][] = [];
  const sorted = runs.toSorted((a, b) => a.baseline - b.baseline || a.left - b.left);
  for (const run of sorted) {
    const row = rows.findLast((candidate) => isOnRow(candidate, run));
    // Rows far above cannot match, but the last few may overlap.
    if (row) row.push(run);
    else rows.push([run]);
  }
  return joinScripts(rows)
    .map((row) => toRow(splitSegments(row)))
    .toSorted((a, b) => (a.segments[0]?.baseline ?? 0) - (b.segments[0]?.baseline ?? 0));
}

/** Superscripts that came before the line that they stand on, such as the `2` of m², go to it. */
function joinScripts(rows: readonly Run[][]): Run[][] {
  const lines = rows.map((row) => [...row]);
  for (const [index, row] of lines.entries()) {
    const next = lines.slice(index + 1, index + 3);
    const line = next.find((other) =>
      row.every((run) => isOnRow(other, run) && run.size < Math.max(...other.map(sizeOf))),
    );
    if (row.length > 0 && line) line.push(...row.splice(0));
  }
  return lines.filter((row) => row.length > 0);
}

const sizeOf = ({ size }: Run) => size;

/** A raised or lowered small run, such as a footnote's number, is on the row of the large one. */
function isOnRow(row: readonly Run[], run: Run): boolean {
  const main = row.reduce((a, b) => (b.size > a.size ? b : a));
  const [large, small] = main.size >= run.size ? [main, run] : [run, main];
  const isIndex = small.size < 0.85 * large.size;
  const distance = Math.abs(main.baseline - run.baseline);
  if (distance < 0.25 * large.size) return true;
  return isIndex && distance < 0.5 * large.size && row.some((other) => touches(other, run));
}

function touches(a: Run, b: Run): boolean {
  return a.right > b.left - 0.3 * a.size && a.left < b.right + 0.3 * a.size;
}

function splitSegments(row: readonly Run[]): Segment[] {
  const sorted = row.toSorted((a, b) => a.left - b.left);
  const groups: Run[][] = [];
  for (const run of sorted) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const gap = last ? run.left - Math.max(...(group ?? []).map(({ right }) => right)) : 0;
    const size = last ? Math.max(last.size, run.size) : run.size;
    const isMarker =
      group !== undefined &&
      group.length <= 2 &&
      markerPattern.test(`${joinText(group)} `) &&
      joinText(group).length <= 5;
    if (!last || gap > (isMarker ? 4 : segmentGap) * size) groups.push([run]);
    else group?.push(run);
  }
  return groups.map(toSegment);
}

/** Runs in reading order, with the spaces between them. */
export function toSegment(runs: readonly Run[]): Segment {
  const rightToLeft = runs.filter((run) => run.rightToLeft);
  const isRightToLeft = length(rightToLeft) * 2 > length(runs);
  const ordered = isRightToLeft ? orderRightToLeft(runs) : [...runs];
  const spaced: Run[] = [];
  for (const run of ordered) {
    const last = spaced.at(-1);
    const gap = last ? Math.max(run.left - last.right, last.left - run.right) : 0;
    const isApart = last && gap > wordGap * Math.min(last.size, run.size);
    if (last && isApart && !/\s$/.test(last.text) && !/^\s/.test(run.text)) {
      spaced[spaced.length - 1] = { ...last, text: `${last.text} ` };
    }
    spaced.push(run);
  }
  const main = runs.reduce((a, b) => (b.text.trim().length > a.text.trim().length ? b : a));
  const text = joinText(spaced).replace(/\s+/g, " ").trim();
  return { ...enclose(runs), runs: spaced, text, size: main.size, baseline: main.baseline };
}

/**
 * Orders runs from the right by their places, also if they are in that order already; runs of another
 * direction next to each other, such as numbers, stay from left to right.
 */
function orderRightToLeft(runs: readonly Run[]): Run[] {
  const groups: Run[][] = [];
  for (const run of runs.toSorted((a, b) => b.left - a.left)) {
    const last = groups.at(-1);
    if (last && !run.rightToLeft && last[0] && !last[0].rightToLeft) last.unshift(run);
    else groups.push([run]);
  }
  return groups.flat();
}

function joinText(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}

function length(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.trim().length, 0);
}

function toRow(segments: readonly Segment[]): Row {
  return { ...enclose(segments), segments };
}

/** A row of some of the segments of a row. */
export function rowOf(segments: readonly Segment[]): Row {
  return toRow(segments);
}
