import { renderRuns, trimRuns } from "../content/html.ts";
import { findRows, type Segment, toSegment } from "./lines.ts";
import type { Run } from "./page.ts";
import { joinLines } from "./text-style.ts";

/** A table of cells in HTML. */
export function renderTable(cells: readonly (readonly string[])[]): string {
  const columns = Math.max(...cells.map((row) => row.length));
  const isRight = Array.from({ length: columns }, (_, column) => isNumeric(cells, column));
  const rows = cells.map((row) => {
    const items = row.map(
      (cell, column) => `<td${isRight[column] ? ' align="right"' : ""}>${cell}</td>`,
    );
    return `<tr>${items.join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

/** Whether every cell of a column below the header is a number, or empty. */
function isNumeric(cells: readonly (readonly string[])[], column: number): boolean {
  const texts = cells.slice(1).map((row) => (row[column] ?? "").replace(/<[^<>]*>/g, ""));
  const filled = texts.filter((text) => text.trim() !== "");
  return (
    filled.length > 1 &&
    filled.every((text) =>
      /^[^\p{L}]{0,4}[\d.,'\s]+[^\p{L}]{0,3}(?:\p{Lu}{3})?$/u.test(text.trim()),
    )
  );
}

/** The lines of a cell. */
export function renderCell(segments: readonly Segment[]): string {
  return renderRuns(trimRuns(joinLines(segments)));
}

/** The runs of a cell, which may have several lines. */
export function renderCellRuns(runs: readonly Run[]): string {
  return renderCell(
    findRows(runs).map(({ segments }) => toSegment(segments.flatMap((one) => one.runs))),
  );
}
