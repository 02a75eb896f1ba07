import type { Row, Segment } from "./lines.ts";
import { markerPattern } from "./lines.ts";

/** Tables without lines between their cells: rows whose texts are aligned in columns. */

export interface AlignedTable {
  /** The rows of the page that it takes. */
  readonly start: number;
  readonly end: number;
  /** Segments by row and column. */
  readonly cells: readonly (readonly (readonly Segment[])[])[];
}

interface Column {
  left: number;
  right: number;
}

/** Fewer rows of several texts are hardly a table. */
const minRows = 2;
const minColumnGap = 4;

/** The table that begins at row `start`; undefined if none does. */
export function findAlignedTable(rows: readonly Row[], start: number): AlignedTable | undefined {
  const first = rows[start];
  if (!first || first.segments.length < 2 || isItem(first) || isCode(first)) return undefined;
  let end = start;
  let columns: Column[] = [];
  let full = 0;
  let lastFull = start;
  for (; end < rows.length; end++) {
    const row = rows[end];
    if (!row || !followsClosely(rows, end, start)) break;
    const widened = widen(columns, row.segments);
    const hasSeveral = row.segments.length > 1;
    // A row that joins columns ends the table, if it is not one text within a column.
    if (
      end > start &&
      (widened.length < columns.length ||
        widened.length > Math.max(columns.length, first.segments.length) + 1)
    )
      break;
    if (!hasSeveral && !isContinuation(columns, row, rows[end - 1])) break;
    columns = widened;
    if (hasSeveral) {
      full++;
      lastFull = end;
    } else if (end - lastFull > 3) break;
  }
  if (full < minRows || columns.length < 2) return undefined;
  const taken = rows.slice(start, end);
  return { start, end, cells: mergeContinued(taken, columns) };
}

function isItem({ segments: [first] }: Row): boolean {
  return first !== undefined && markerPattern.test(first.text) && first.text.length <= 4;
}

/** Text in columns by spaces keeps them as code. */
function isCode({ segments }: Row): boolean {
  return segments.every(({ runs }) => runs.every(({ mono }) => mono));
}

/** Whether the gap above a row is not much larger than the row is high. */
function followsClosely(rows: readonly Row[], index: number, start: number): boolean {
  const above = rows[index - 1];
  const row = rows[index];
  if (index === start || !above || !row) return true;
  return row.top - above.bottom < 2.2 * Math.max(row.bottom - row.top, above.bottom - above.top);
}

/** The columns with the segments of one more row; overlapping ones are joined. */
function widen(columns: readonly Column[], segments: readonly Segment[]): Column[] {
  const sorted = [...columns, ...segments].map(({ left, right }) => ({ left, right }));
  sorted.sort((a, b) => a.left - b.left);
  const joined: Column[] = [];
  for (const column of sorted) {
    const last = joined.at(-1);
    if (last && column.left < last.right + minColumnGap)
      last.right = Math.max(last.right, column.right);
    else joined.push(column);
  }
  return joined;
}

/** Whether the only text of a row is a further line of a cell: it is in one column, close below. */
function isContinuation(columns: readonly Column[], row: Row, above: Row | undefined): boolean {
  const [segment] = row.segments;
  if (!segment || !above || row.top - above.bottom > 0.6 * (row.bottom - row.top)) return false;
  const index = columns.findIndex(
    (column) => segment.left >= column.left - 2 && segment.right <= column.right + 8,
  );
  // Text below the first column is as well the next paragraph.
  return index > 0;
}

function mergeContinued(rows: readonly Row[], columns: readonly Column[]): Segment[][][] {
  const merged: Segment[][][] = [];
  for (const row of rows) {
    const cells: Segment[][] = columns.map(() => []);
    for (const segment of row.segments) {
      const column = columns.findIndex(
        ({ left, right }) => segment.left >= left - 1 && segment.right <= right + 1,
      );
      cells[Math.max(0, column)]?.push(segment);
    }
    const last = merged.at(-1);
    if (last && row.segments.length === 1 && (cells[0] ?? []).length === 0) {
      for (const [index, cell] of cells.entries()) last[index]?.push(...cell);
    } else {
      merged.push(cells);
    }
  }
  return merged;
}
