import { type Row, rowOf, type Segment } from "./lines.ts";
import { type Box, contains, enclose, type Rule } from "./page.ts";

/**
 * Finds the columns of a page. Rows are read from the top; consecutive rows with a common empty strip
 * between text on both sides are a band of columns, if the text looks like prose on both sides.
 */

/** The narrowest strip between two columns, in points. */
const minGutter = 7;
/** Fewer rows with text on both sides are rather a heading with something at its right. */
const minSharedRows = 3;
/** Lines of prose fill their column to this share, in the median. */
const proseShare = 0.6;
const minProseCharacters = 16;

interface Gap {
  readonly left: number;
  readonly right: number;
}

/** The gutters of the pages before; a short band on a later page has the same. */
export class KnownGutters {
  readonly #gutters: Gap[] = [];

  add(gap: Gap): void {
    if (!this.has(gap)) this.#gutters.push(gap);
  }

  has({ left, right }: Gap): boolean {
    return this.#gutters.some((known) => {
      const shared = Math.min(right, known.right) - Math.max(left, known.left);
      return shared >= minGutter && Number.isFinite(left) && Number.isFinite(right);
    });
  }
}

/** Rows in reading order, as regions: those of one column are together. */
export function findRegions(
  rows: readonly Row[],
  rules: readonly Rule[],
  known: KnownGutters = new KnownGutters(),
): Row[][] {
  const regions: Row[][] = [];
  let plain: Row[] = [];
  for (let index = 0; index < rows.length; ) {
    const band = findBand(rows, index, rules, known);
    if (!band) {
      const row = rows[index++];
      if (row) plain.push(row);
      continue;
    }
    while (index < band.end - 1 && endsParagraph(rows, index))
      plain.push(...rows.slice(index, ++index));
    if (plain.length > 0) regions.push(plain);
    plain = [];
    const banded = rows.slice(index, band.end);
    const sides = [sideOf(banded, 0, band.gutter), sideOf(banded, 1, band.gutter)];
    const isRightToLeft =
      banded
        .flatMap(({ segments }) => segments.flatMap(({ runs }) => runs))
        .filter((run) => run.rightToLeft).length *
        2 >
      banded.length * 2;
    for (const side of isRightToLeft ? sides.toReversed() : sides)
      regions.push(...findRegions(side, rules, known));
    index = band.end;
  }
  if (plain.length > 0) regions.push(plain);
  return regions;
}

/** Whether the only segment of a row belongs to the text above the band: it is nearer to that. */
function endsParagraph(rows: readonly Row[], index: number): boolean {
  const above = rows[index - 1];
  const row = rows[index];
  const below = rows[index + 1];
  if (!above || !row || !below || row.segments.length > 1) return false;
  return row.top - above.bottom < below.top - row.bottom - 1;
}

/** The longest band of two sides that begins at row `start`. */
function findBand(
  rows: readonly Row[],
  start: number,
  rules: readonly Rule[],
  known: KnownGutters,
) {
  let gaps: Gap[] = [{ left: Number.NEGATIVE_INFINITY, right: Number.POSITIVE_INFINITY }];
  let best: { gutter: Gap; end: number } | undefined;
  let shared = 0;
  for (let end = start; end < rows.length; end++) {
    const row = rows[end];
    if (!row) break;
    gaps = intersect(gaps, gapsOf(row));
    if (gaps.length === 0) break;
    if (row.segments.length > 1) shared++;
    if (shared === 0) continue;
    const band = rows.slice(start, end + 1);
    const gutter = gaps.find((gap) => isGutter(gap, band, known.has(gap) ? 1 : minSharedRows));
    if (!gutter) {
      if (!gaps.some((gap) => hasBothSides(gap, band))) break;
      continue;
    }
    best = { gutter, end: end + 1 };
  }
  if (!best) return undefined;
  const band = rows.slice(start, best.end);
  const isRuled = rules.some((rule) => crosses(rule, best.gutter, enclose(band)));
  if (isRuled || !looksLikeProse(best.gutter, band)) return undefined;
  known.add(best.gutter);
  return best;
}

/** The empty strips of a row, including those at both ends. */
function gapsOf({ segments }: Row): Gap[] {
  const gaps: Gap[] = [];
  let left = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    if (segment.left > left) gaps.push({ left, right: segment.left });
    left = Math.max(left, segment.right);
  }
  return [...gaps, { left, right: Number.POSITIVE_INFINITY }];
}

function intersect(first: readonly Gap[], second: readonly Gap[]): Gap[] {
  return first.flatMap((a) =>
    second.flatMap((b) => {
      const gap = { left: Math.max(a.left, b.left), right: Math.min(a.right, b.right) };
      return gap.right - gap.left >= minGutter ? [gap] : [];
    }),
  );
}

function hasBothSides(gap: Gap, band: readonly Row[]): boolean {
  return Number.isFinite(gap.left) && Number.isFinite(gap.right) && band.length > 0;
}

function isGutter(gap: Gap, band: readonly Row[], minRows: number): boolean {
  if (!hasBothSides(gap, band)) return false;
  const sides = [sideOf(band, 0, gap), sideOf(band, 1, gap)];
  return sides.every((side) => side.length >= minRows);
}

function sideOf(band: readonly Row[], side: 0 | 1, gap: Gap): Row[] {
  const isOnSide = (segment: Segment) =>
    side === 0 ? segment.right <= gap.left + 0.5 : segment.left >= gap.right - 0.5;
  return band
    .map(({ segments }) => segments.filter(isOnSide))
    .filter((segments) => segments.length > 0)
    .map(rowOf);
}

function looksLikeProse(gap: Gap, band: readonly Row[]): boolean {
  return ([0, 1] as const).every((side) => {
    const rows = sideOf(band, side, gap);
    const { left, right } = enclose(rows);
    const shares = rows.map(
      (row) => row.segments.reduce((sum, one) => sum + one.right - one.left, 0) / (right - left),
    );
    const characters = rows.map((row) =>
      row.segments.reduce((sum, { text }) => sum + text.length, 0),
    );
    return median(shares) >= proseShare && median(characters) >= minProseCharacters;
  });
}

/** A line through the strip belongs to a table, not to columns. */
function crosses(rule: Rule, gutter: Gap, band: Box): boolean {
  const isHorizontal = rule.right - rule.left > rule.bottom - rule.top;
  if (!isHorizontal || rule.left > gutter.left - 5 || rule.right < gutter.right + 5) return false;
  return contains({ ...band, left: rule.left, right: rule.right }, rule, -2);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
