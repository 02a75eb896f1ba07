/** A value as RFC 4180 says. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function writeCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row of a CSV file. */
export function writeRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}
