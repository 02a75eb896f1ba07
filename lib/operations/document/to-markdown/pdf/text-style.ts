import type { StyledText } from "../content/html.ts";
import type { Row, Segment } from "./lines.ts";
import type { Run } from "./page.ts";

/** What is known of the fonts of a whole document. */
export interface FontStatistics {
  /** The size of most of the text. */
  readonly bodySize: number;
  /** The usual distance of two lines, in sizes of the font. */
  readonly pitch: number;
  /** The sizes of headings, the largest first; the index is the level. */
  readonly headingSizes: readonly number[];
}

/** Runs of a line as styled text. `plain` leaves out bold type, for headings. */
function toStyledText(line: Segment, plain = false): StyledText[] {
  return line.runs.map((run) => ({
    text: run.text,
    bold: run.bold && !plain,
    italic: run.italic && !plain,
    code: run.mono && !plain,
    ...scriptOf(run, line),
    link: run.link,
  }));
}

/** A superscript or subscript is smaller than its line, and above or below the baseline. */
function scriptOf(run: Run, { size, baseline }: Segment): { sup: boolean; sub: boolean } {
  const isSmall = run.size < 0.85 * size && /[\p{L}\p{N}]/u.test(run.text);
  const rise = baseline - run.baseline;
  return { sup: isSmall && rise > 0.15 * size, sub: isSmall && rise < -0.08 * size };
}

/**
 * Lines of a paragraph as one text: a word that is divided at the end of a line is put together.
 * `isBreak` says whether the line with an index begins after a line break of the author.
 */
export function joinLines(
  lines: readonly Segment[],
  plain = false,
  isBreak: (index: number) => boolean = () => false,
): StyledText[] {
  const joined: StyledText[] = [];
  for (const [index, line] of lines.entries()) {
    joinHyphen(joined);
    const runs = toStyledText(line, plain);
    const last = joined.at(-1);
    const [first] = runs;
    if (last && first) {
      const text = isBreak(index) ? `${last.text.trimEnd()}\n` : joinText(last.text, first.text);
      joined[joined.length - 1] = { ...last, text };
    }
    joined.push(...runs);
  }
  return joined;
}

/** A hyphen that is a run of its own, at the end of the run before it. */
function joinHyphen(runs: StyledText[]): void {
  const [before, hyphen] = runs.slice(-2);
  if (!before || !hyphen || !/^\u00ad?[-‐]\s*$/.test(hyphen.text)) return;
  runs.splice(-2, 2, {
    ...before,
    text: `${before.text.replace(/\u00ad$/, "")}${hyphen.text.replace("\u00ad", "")}`,
  });
}

/** The end of a line, ready for the start of the next one. */
function joinText(end: string, start: string): string {
  const text = end.trimEnd();
  if (/\p{L}\u00ad$/u.test(text)) return text.slice(0, -1);
  if (/\p{Ll}[-‐]$/u.test(text) && /^\p{Ll}/u.test(start.trimStart())) return text.slice(0, -1);
  // Chinese and Japanese have no spaces between words.
  const wide = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/;
  if (wide.test(text.slice(-1)) && wide.test(start.trimStart().slice(0, 1))) return text;
  return /[-‐–—/]$/.test(text) && !/\s[-‐–—]$/.test(text) ? text : `${text} `;
}

/** The sizes of the text of a document: that of most characters, and larger ones for headings. */
export function measureFonts(pages: readonly (readonly Row[])[]): FontStatistics {
  const lines = pages.flatMap((rows) => rows.flatMap(({ segments }) => segments));
  const characters = new Map<number, number>();
  for (const { size, text } of lines) {
    const key = roundSize(size);
    characters.set(key, (characters.get(key) ?? 0) + text.length);
  }
  const [bodySize = 12] = [...characters].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const larger = [...characters.keys()].filter(
    (size) => size >= bodySize * 1.12 && size > bodySize + 0.9,
  );
  return {
    bodySize,
    pitch: measurePitch(pages),
    headingSizes: mergeSizes(larger.toSorted((a, b) => b - a)),
  };
}

/** The fourth percentile of the gaps between lines that begin below each other; many are paragraphs'. */
function measurePitch(pages: readonly (readonly Row[])[]): number {
  const gaps: number[] = [];
  for (const rows of pages) {
    const above = new Map<number, Segment>();
    for (const line of rows.flatMap(({ segments }) => segments)) {
      const place = Math.round(line.left / 3);
      const last = above.get(place);
      above.set(place, line);
      if (!last || roundSize(line.size) !== roundSize(last.size)) continue;
      const gap = (line.baseline - last.baseline) / line.size;
      if (gap > 0.9 && gap < 3) gaps.push(gap);
    }
  }
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 25)] ?? 1.3;
}

/** Sizes that differ by less than a twentieth are one level; there are at most five. */
function mergeSizes(sizes: readonly number[]): number[] {
  const merged: number[] = [];
  for (const size of sizes) {
    const last = merged.at(-1);
    if (last === undefined || size < last * 0.95) merged.push(size);
  }
  return merged.slice(0, 5);
}

export function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** The level of a heading in a font of `size`; undefined if it is not larger than the text. */
export function headingLevel(size: number, { headingSizes }: FontStatistics): number | undefined {
  const index = headingSizes.findIndex((heading) => roundSize(size) >= heading * 0.95);
  return index < 0 ? undefined : index + 1;
}
