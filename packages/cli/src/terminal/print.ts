/** Data goes to stdout, messages to stderr. */

let isQuiet = false;

export function setQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** Writes one line of data. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes data on one line for programs, and readable on a terminal. */
export function printJson(value: unknown, isOneLine = !process.stdout.isTTY): void {
  printLine(JSON.stringify(value, null, isOneLine ? 0 : 2));
}

/** Writes a message for people, unless `--quiet` was given. */
export function notify(message: string): void {
  if (!isQuiet) process.stderr.write(`${message}\n`);
}

export function warn(message: string): void {
  process.stderr.write(`${style("yellow", "Warning:")} ${message}\n`);
}

export function reportError(message: string): void {
  process.stderr.write(`${style("red", "Error:")} ${message}\n`);
}

const formats = { red: 31, yellow: 33, green: 32, bold: 1, dim: 2 } as const;

/** Formats text for a terminal; it stays plain elsewhere, and with NO_COLOR. */
export function style(
  format: keyof typeof formats,
  text: string,
  stream: { readonly isTTY?: boolean } = process.stderr,
): string {
  const isPlain = !stream.isTTY || process.env.NO_COLOR || process.env.TERM === "dumb";
  return isPlain ? text : `\x1b[${formats[format]}m${text}\x1b[0m`;
}

/** Formats bytes as `1.2 MB`; 1 MB is 10⁶ bytes. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Text from elsewhere, without characters that control a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

/** Rows as columns of equal width. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) => printable(cell).padEnd(widths[column] ?? 0));
    printLine(cells.join("  ").trimEnd());
  }
}
