import type { RowSpan } from "./row-level.ts";

/** References to cells of sheets whose rows were repeated. */

/** The number of the last row of a sheet. */
export const maxRow = 1_048_576;

/** What became of the rows of a sheet. */
export interface RowMap {
  /** The new rows of `row`: in the innermost repetition around the new row `near` that has it, or in the whole sheet. */
  find(row: number, near?: number): RowSpan;
}

/**
 * A text; a reference to cells or whole rows, with or without the name of its sheet; the name of a sheet before something
 * else; or what is in brackets, such as a column of a table.
 */
const token =
  /"(?:[^"]|"")*"|(?:(?<sheet>'(?:[^']|''){1,100}'|(?<![\p{L}\p{M}\p{N}_.])(?:\[\d{1,4}\])?[\p{L}_][\p{L}\p{M}\p{N}_.]{0,100}(?::[\p{L}_][\p{L}\p{M}\p{N}_.]{0,100})?)!|(?<![\p{L}\p{M}\p{N}_.$!]))(?:(?<column>\$?[A-Z]{1,3}\$?)(?<from>\d{1,7})(?::(?<endColumn>\$?[A-Z]{1,3}\$?)(?<to>\d{1,7}))?|(?<firstRow>\$?\d{1,7}):(?<lastRow>\$?\d{1,7}))(?![\p{L}\p{M}\p{N}_(.!])|'(?:[^']|''){1,100}'!|\[[^[\]]*\]/gu;

type TokenGroup = "sheet" | "column" | "from" | "endColumn" | "to" | "firstRow" | "lastRow";
type TokenGroups = Readonly<Partial<Record<TokenGroup, string>>>;

/** The start of a function of any number of values, as its arguments also areas that are not next to each other. */
const listFunctions = /\b(?:SUM|AVERAGE|MIN|MAX|COUNT|COUNTA|PRODUCT|MEDIAN)\($/i;

/** The most arguments of a function, and areas of a reference. */
const maxAreas = 255;

/** The start of any function, or what comes before its further arguments, or before the end of a range. */
const needsReference = /(?:[\p{L}\p{N}_.]\(|[,:])$/u;

/** The longest start of a function of the list above, in characters. */
const longestStart = 20;

/** The last cell of a sheet, which is empty: for removed cells where no number may be. */
const emptyCell = "$XFD$1048576";

/** Where a formula is. */
export type FormulaPlace =
  /** A cell in a new row of a sheet, or a condition or list for a range that begins there. */
  | { readonly kind: "cell" | "condition"; readonly sheet: string; readonly row: number }
  | { readonly kind: "link"; readonly sheet: string }
  | { readonly kind: "chart" | "name" };

/** Moves the references of a workbook to the rows that their cells have now. */
export class References {
  readonly #rows: ReadonlyMap<string, RowMap>;

  /** @param rows the rows of each sheet, by its name */
  constructor(rows: Iterable<readonly [sheet: string, rows: RowMap]>) {
    this.#rows = new Map([...rows].map(([sheet, map]) => [sheet.toLowerCase(), map]));
  }

  /**
   * A formula with the rows that its references have now. A reference to one repeated cell alone in parentheses,
   * `SUM(D5)`, has all repetitions; so has that of a chart or name. References to other workbooks and to several sheets at
   * once are kept.
   */
  move(formula: string, place: FormulaPlace): string {
    const own = "sheet" in place ? this.#rows.get(place.sheet.toLowerCase()) : undefined;
    return formula.replaceAll(token, (...match) => {
      const groups = match.at(-1) as TokenGroups;
      const [found] = match as [string];
      const offset = match.at(-3) as number;
      const rows = groups.sheet === undefined ? own : this.#rows.get(sheetName(groups.sheet));
      if (!rows) return found;
      const near = rows === own && "row" in place ? place.row : undefined;
      const before = formula.slice(Math.max(0, offset - longestStart), offset).trimEnd();
      const after = formula[offset + found.length] ?? "";
      const areas = moveReference(groups, { rows, near, place, before, after });
      if (areas === undefined) return found;
      const write = (area: string) =>
        groups.sheet === undefined ? area : `${groups.sheet}!${area}`;
      if (areas.length === 0) {
        if (!("row" in place)) return write("#REF!");
        // Excel opens no file in which a number is where a function needs a reference.
        const isValue = !needsReference.test(before) || listFunctions.test(before);
        const isPart = after === ":" || after === "#";
        return place.kind === "cell" && isValue && !isPart ? "0" : emptyCell;
      }
      const list = areas.map(write).join(",");
      return areas.length > 1 && !("row" in place) ? `(${list})` : list;
    });
  }
}

interface ReferencePlace {
  readonly rows: RowMap;
  readonly near: number | undefined;
  readonly place: FormulaPlace;
  /** The end of the text before the reference. */
  readonly before: string;
  /** The character after it. */
  readonly after: string;
}

/** The areas that a reference has now, without the name of the sheet; undefined if it is kept. */
function moveReference(groups: TokenGroups, where: ReferencePlace): string[] | undefined {
  const { rows, near, place, before, after } = where;
  const { column, from, endColumn, to, firstRow, lastRow } = groups;
  if (firstRow && lastRow) {
    const [, first, start] = /(\$?)(\d+)/.exec(firstRow) ?? [];
    const [, last, end] = /(\$?)(\d+)/.exec(lastRow) ?? [];
    const moved = moveRows(Number(start), Number(end), rows, near);
    return moved ? [`${first}${moved.first}:${last}${moved.last}`] : [];
  }
  if (!column || !from) return undefined;
  // Without $, the rows of a name count from the cell that has the name in its formula.
  const isRelative = !column.endsWith("$") || !(endColumn ?? "$").endsWith("$");
  if (place.kind === "name" && isRelative) return undefined;
  const area = (first: number, last: number) =>
    first === last && !endColumn
      ? `${column}${first}`
      : `${column}${first}:${endColumn ?? column}${last}`;
  const start = rows.find(Number(from), near);
  const end = rows.find(Number(to ?? from), near);
  if (to && (start.firstSource === undefined || start.firstSource !== end.lastSource)) {
    const moved = moveRows(Number(from), Number(to), rows, near);
    return moved ? [area(moved.first, moved.last)] : [];
  }
  // One row, perhaps with rows around it that have only tags.
  const span = rows.find(start.firstSource ?? Number(from), near);
  const { first, last } = span;
  if (last < first || first > maxRow) return [];
  const isAlone = before.endsWith("(") && after === ")";
  const hasAll = place.kind === "chart" || place.kind === "name" || (endColumn ?? isAlone);
  // A series of a chart is one row or column.
  const isSeries = place.kind === "chart" && endColumn && endColumn !== column;
  if (!hasAll || isSeries) return [area(first, first)];
  const hasOthers = span.rows.length < last - first + 1;
  const canHaveAreas = !("row" in place) || (isAlone && listFunctions.test(before));
  if (hasOthers && canHaveAreas && span.rows.length <= maxAreas)
    return span.rows.map((row) => area(row, row));
  return [area(first, last)];
}

/** `'It''s'` is the sheet `It's`. Excel does not distinguish the case of names. */
function sheetName(written: string): string {
  const name = written.startsWith("'") ? written.slice(1, -1).replaceAll("''", "'") : written;
  return name.toLowerCase();
}

/** The new rows of a range; undefined if none is left. */
export function moveRows(
  from: number,
  to: number,
  rows: RowMap,
  near?: number,
): { first: number; last: number } | undefined {
  const { first } = rows.find(from, near);
  // Ranges up to the last row have no place to grow.
  const last = Math.min(rows.find(to, near).last, maxRow);
  return last < first ? undefined : { first, last };
}

/** A cell or range: its columns and rows. */
export const rangePattern = /^(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?$/;

/** The new rows of a cell or range, such as `A4:D5`; undefined if none is left. Other texts are kept. */
export function moveRange(range: string, rows: RowMap): string | undefined {
  const [, column, from, endColumn, to = from] = rangePattern.exec(range) ?? [];
  if (!column) return range;
  const moved = moveRows(Number(from), Number(to), rows);
  if (!moved) return undefined;
  const { first, last } = moved;
  return !endColumn && first === last
    ? `${column}${first}`
    : `${column}${first}:${endColumn ?? column}${last}`;
}

/** A formula that is shared by cells, for the cell so many rows and columns from the first. */
export function offsetFormula(formula: string, down: number, across: number): string {
  return formula.replaceAll(token, (...match) => {
    const { sheet, column } = match.at(-1) as TokenGroups;
    const [found] = match as [string];
    if (!column) return found;
    const prefix = sheet === undefined ? "" : `${sheet}!`;
    const moved = found
      .slice(prefix.length)
      .replaceAll(/(\$?)([A-Z]+)(\$?)(\d+)/g, (_, fixed, name, fixedRow, row) => {
        const newName = fixed ? name : columnName(columnNumber(name) + across);
        return `${fixed}${newName}${fixedRow}${fixedRow ? row : Number(row) + down}`;
      });
    return prefix + moved;
  });
}

/** The number of a column; A is 1. */
export function columnNumber(name: string): number {
  return [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function columnName(number: number): string {
  let name = "";
  for (let left = Math.max(1, number); left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  }
  return name;
}
