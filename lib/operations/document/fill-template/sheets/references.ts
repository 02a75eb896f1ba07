/** References to cells of a sheet whose rows were repeated. */

/** The rows that a row of the template became: 1-based numbers, and the first if it has none. */
export interface RowMap {
  /** The first and last new row; `last < first` if the row was removed. */
  range(row: number): { readonly first: number; readonly last: number };
  /** The new row of `row` in the repetition that has the new row `near`; undefined outside of it. */
  sameRepetition(row: number, near: number): number | undefined;
}

/** A text, a reference with or without the name of its sheet, or the name of a sheet before something else. */
const token =
  /"(?:[^"]|"")*"|(?:(?<sheet>'(?:[^']|''){1,100}'|(?<![\p{L}\p{N}_.])(?:\[\d{1,4}\])?[\p{L}_][\p{L}\p{N}_.]{0,100}(?::[\p{L}_][\p{L}\p{N}_.]{0,100})?)!)?(?<![\p{L}\p{N}_.$])(?<column>\$?[A-Z]{1,3}\$?)(?<from>\d{1,7})(?::(?<endColumn>\$?[A-Z]{1,3}\$?)(?<to>\d{1,7}))?(?![\p{L}\p{N}_(.!])|'(?:[^']|''){1,100}'!/gu;

type TokenGroups = Readonly<
  Partial<Record<"sheet" | "column" | "from" | "endColumn" | "to", string>>
>;

/** Where a formula is. */
interface FormulaPlace {
  /** The rows that references without a sheet have; undefined outside of sheets. */
  readonly own: RowMap | undefined;
  /** The new row of its cell; 0 outside of cells. */
  readonly row: number;
  /** What stands for removed cells. */
  readonly removed: string;
  /** Whether a reference to one repeated cell always becomes the range of its repetitions. */
  readonly isRange: boolean;
}

/** Moves the references of a workbook to the rows that their cells have now. */
export class References {
  readonly #rows: ReadonlyMap<string, RowMap>;

  /** @param rows the rows of each sheet, by its name */
  constructor(rows: Iterable<readonly [sheet: string, rows: RowMap]>) {
    this.#rows = new Map([...rows].map(([sheet, map]) => [sheet.toLowerCase(), map]));
  }

  /**
   * The formula of a sheet's cell in the new row `row`. A reference to one repeated cell alone in parentheses,
   * `SUM(D5)`, becomes the range of its repetitions.
   */
  inSheet(formula: string, sheet: string, row: number): string {
    const own = this.#rows.get(sheet.toLowerCase());
    return this.#move(formula, { own, row, removed: "0", isRange: false });
  }

  /** What a chart shows or a name stands for. A reference to one repeated cell becomes the range of its repetitions. */
  outside(formula: string): string {
    return this.#move(formula, { own: undefined, row: 0, removed: "#REF!", isRange: true });
  }

  /** References to other workbooks, and to several sheets at once, are kept. */
  #move(formula: string, { own, row, removed, isRange }: FormulaPlace): string {
    return formula.replaceAll(token, (...match) => {
      const { sheet, column, from, endColumn, to } = match.at(-1) as TokenGroups;
      const [found] = match as [string];
      const offset = match.at(-3) as number;
      const rows = sheet === undefined ? own : this.#rows.get(sheetName(sheet));
      if (!column || !from || !rows) return found;
      const write = (text: string) => (sheet === undefined ? text : `${sheet}!${text}`);
      const near = rows === own ? rows.sameRepetition(Number(from), row) : undefined;
      if (!to || !endColumn) {
        if (near !== undefined) return write(`${column}${near}`);
        const { first, last } = rows.range(Number(from));
        if (last < first) return removed;
        const isAlone = formula[offset - 1] === "(" && formula[offset + found.length] === ")";
        const end = last > first && (isRange || isAlone) ? `:${column}${last}` : "";
        return write(`${column}${first}${end}`);
      }
      const nearEnd = near === undefined ? undefined : rows.sameRepetition(Number(to), row);
      if (nearEnd !== undefined) return write(`${column}${near}:${endColumn}${nearEnd}`);
      const moved = moveRows(Number(from), Number(to), rows);
      return moved ? write(`${column}${moved.first}:${endColumn}${moved.last}`) : removed;
    });
  }
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
): { first: number; last: number } | undefined {
  const first = rows.range(from).first;
  const last = rows.range(to).last;
  return last < first ? undefined : { first, last };
}

/** A range of cells: its columns and rows. */
export const rangePattern = /^(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?$/;

/** The new rows of a range, such as `A4:D5`; undefined if none is left. Other texts are kept. */
export function moveRange(range: string, rows: RowMap): string | undefined {
  const [, column, from, endColumn = column, to = from] = rangePattern.exec(range) ?? [];
  if (!column) return range;
  const moved = moveRows(Number(from), Number(to), rows);
  return moved && `${column}${moved.first}:${endColumn}${moved.last}`;
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
        const moved = fixed ? name : columnName(columnNumber(name) + across);
        return `${fixed}${moved}${fixedRow}${fixedRow ? row : Number(row) + down}`;
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
