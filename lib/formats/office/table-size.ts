import { JobError } from "#lib/errors.ts";

/** The size of a table in text. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
  /** The characters of its longest cell. */
  readonly cell: number;
}

/** What a sheet of LibreOffice holds. It leaves out what is more, without a warning. */
export const sheetSize: TableSize = { rows: 1_048_576, columns: 16_384, cell: 65_535 };

const quote = '"';

/** Measures a table whose lines end with LF. Cells may be quoted, and then contain separators and line ends. */
export function measureTable(table: string, separator: string): TableSize {
  let rows = 0;
  let columns = 0;
  let cell = 0;
  let start = 0;
  let cellsOfRow = 0;
  while (start < table.length) {
    const end = findCellEnd(table, start, separator);
    cellsOfRow++;
    if (end === undefined) return { rows: rows + 1, columns: Math.max(columns, cellsOfRow), cell };
    cell = Math.max(cell, end - start);
    columns = Math.max(columns, cellsOfRow);
    start = end + 1;
    if (table[end] === separator) continue;
    rows++;
    cellsOfRow = 0;
  }
  return { rows, columns, cell };
}

/** The index after a cell; undefined if its quote is not closed. */
function findCellEnd(table: string, start: number, separator: string): number | undefined {
  let from = start;
  if (table[start] === quote) {
    let closing = table.indexOf(quote, start + 1);
    while (closing !== -1 && table[closing + 1] === quote) {
      closing = table.indexOf(quote, closing + 2);
    }
    if (closing === -1) return undefined;
    from = closing + 1;
  }
  for (let at = from; at < table.length; at++) {
    const character = table[at];
    if (character === separator || character === "\n") return at;
  }
  return table.length;
}

/** Throws `JobError("too_complex")` if a sheet cannot hold the table. */
export function requireSheetSize({ rows, columns, cell }: TableSize): void {
  const max = (limit: number) => `at most ${limit.toLocaleString("en-US")}`;
  const fail = (message: string) => {
    throw new JobError("too_complex", message);
  };
  if (rows > sheetSize.rows) fail(`The table may have ${max(sheetSize.rows)} rows.`);
  if (columns > sheetSize.columns) fail(`The table may have ${max(sheetSize.columns)} columns.`);
  if (cell > sheetSize.cell)
    fail(`A cell of the table may have ${max(sheetSize.cell)} characters.`);
}
