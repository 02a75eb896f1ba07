/** References to cells of a sheet whose rows were repeated. */

/** The rows that a row of the template became: 1-based numbers, and the first if it has none. */
export interface RowMap {
  /** The first and last new row; `last < first` if the row was removed. */
  range(row: number): { readonly first: number; readonly last: number };
  /** The new row of `row` in the repetition that has the new row `near`; undefined outside of it. */
  sameRepetition(row: number, near: number): number | undefined;
}

const token =
  /"(?:[^"]|"")*"|(?:'(?:[^']|''){0,100}'|(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]{0,100})!\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|(?<![\p{L}\p{N}_.$])(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?(?![\p{L}\p{N}_(.!])/gu;

/**
 * A formula of the new row `row` with the rows that its references have now. A reference to one repeated
 * cell alone in parentheses, `SUM(D5)`, becomes the range of its repetitions. References to other sheets
 * are kept.
 */
export function moveFormula(formula: string, row: number, rows: RowMap): string {
  return formula.replaceAll(token, (found: string, ...groups: unknown[]) => {
    const [column, from, endColumn, to, offset] = groups as [
      string?,
      string?,
      string?,
      string?,
      number?,
    ];
    if (!column || !from || offset === undefined) return found;
    const near = rows.sameRepetition(Number(from), row);
    if (!to || !endColumn) {
      if (near !== undefined) return `${column}${near}`;
      const { first, last } = rows.range(Number(from));
      if (last < first) return "0";
      const isAlone = formula[offset - 1] === "(" && formula[offset + found.length] === ")";
      return last > first && isAlone ? `${column}${first}:${column}${last}` : `${column}${first}`;
    }
    const nearEnd = rows.sameRepetition(Number(to), row);
    if (near !== undefined && nearEnd !== undefined)
      return `${column}${near}:${endColumn}${nearEnd}`;
    const moved = moveRows(Number(from), Number(to), rows);
    return moved ? `${column}${moved.first}:${endColumn}${moved.last}` : "0";
  });
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

/** A formula that is shared by cells, for the cell so many rows and columns from the first. */
export function offsetFormula(formula: string, down: number, across: number): string {
  return formula.replaceAll(token, (found: string, column?: string) => {
    if (!column) return found;
    return found.replaceAll(/(\$?)([A-Z]+)(\$?)(\d+)/g, (_, fixed, name, fixedRow, row) => {
      const moved = fixed ? name : columnName(columnNumber(name) + across);
      return `${fixed}${moved}${fixedRow}${fixedRow ? row : Number(row) + down}`;
    });
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
