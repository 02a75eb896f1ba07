/** An object as `name  value` lines, or an array of objects as a table with a header. Ends with a newline. */
export function formatTable(result: unknown): string {
  if (!Array.isArray(result)) return alignColumns(Object.entries(result ?? {}));
  const rows: Record<string, unknown>[] = result;
  if (!rows[0]) return "None.\n";
  const names = Object.keys(rows[0]);
  return alignColumns([names, ...rows.map((row) => names.map((name) => row[name]))]);
}

function alignColumns(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? "–" : String(cell))));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  const lines = texts.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
