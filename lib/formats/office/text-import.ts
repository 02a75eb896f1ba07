import { isAscii, isUtf8 } from "node:buffer";
import { readRegular, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { detectEncoding, markedEncoding } from "#lib/formats/text/detect-encoding.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { measureTable, requireSheetSize, sheetSize } from "./table-size.ts";

/** The part of a table that is used to detect the separator of its columns. */
const sampleLength = 64 * 1024;
const sampleLines = 20;

const separators = [",", ";", "\t", "|"] as const;

/** UTF-8 in the options of LibreOffice's CSV filter. */
const utf8 = 76;

/** Columns whose type is set in each table. */
const leastColumns = 1024;

interface TextFile {
  readonly path: string;
}

/** Options of the text import filter: encoding, line endings. */
export const textImportOptions = "UTF8,LF";

/**
 * Writes the text of `file` to `target` as UTF-8 with LF line endings and returns it. The encoding
 * is that of `detectEncoding`.
 * Throws `JobError("too_complex")` if the file is larger than its limit.
 */
export async function normalizeText(
  file: TextFile,
  target: TextFile,
  limits: FileLimits,
): Promise<string> {
  const text = await readText(file, limits);
  await writeNew(target.path, text);
  return text;
}

/** The text of `file` with LF line endings; see `normalizeText`. */
export async function readText(file: TextFile, { officeTextBytes }: FileLimits): Promise<string> {
  const { size } = await statRegular(file.path);
  if (size > officeTextBytes) throw limitError("officeTextBytes", officeTextBytes);
  const bytes = await readRegular(file.path);
  return decodeText(bytes).replace(/\r\n?/g, "\n");
}

/**
 * Decodes text by its byte order mark, as UTF-8 if it is valid and not only ASCII, by the encoding that its server
 * (`charset`) or the first 1024 bytes of HTML declare, or in the one that `detectEncoding` finds. Some encodings, such as ISO-2022-JP, use only
 * ASCII.
 */
export function decodeText(bytes: Buffer, charset?: string): string {
  const marked = markedEncoding(bytes);
  const declared =
    charset ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(
      bytes.toString("latin1", 0, 1024),
    )?.[1];
  if (!marked && declared && (isAscii(bytes) || !isUtf8(bytes))) {
    try {
      return new TextDecoder(declared).decode(bytes);
    } catch {
      // No encoding has this name.
    }
  }
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

/**
 * Options of the CSV import filter for a table: separator, quote, encoding, first line, and the
 * type of every column. All columns are text, so that `007` and `1.50` remain unchanged.
 * Throws `JobError("too_complex")` if a sheet cannot hold the table.
 */
export function tableImportOptions(table: string): string {
  const declared = /^sep=(.)\n/i.exec(table)?.[1];
  const separator = declared ?? findSeparator(table.slice(0, sampleLength));
  const size = measureTable(table, separator);
  requireSheetSize(size);
  // Programs differ in where a quoted cell ends.
  const length = Math.min(Math.max(size.columns, leastColumns), sheetSize.columns);
  const columns = Array.from({ length }, (_, index) => `${index + 1}/2`).join("/");
  const firstLine = declared ? 2 : 1;
  return [separator.charCodeAt(0), '"'.charCodeAt(0), utf8, firstLine, columns].join(",");
}

/**
 * The separator that most lines contain in the same number; a comma if no line contains any. Commas between
 * digits are decimal commas if each line has the same number of another separator.
 */
export function findSeparator(sample: string): string {
  const unquoted = sample.replace(/"[^"]*"/g, "");
  const lines = unquoted.split("\n", sampleLines).filter((line) => line.trim() !== "");
  const countsOf = (separator: string) => lines.map((line) => line.split(separator).length - 1);
  const hasOther = separators.slice(1).some((separator) => {
    const [first = 0, ...others] = countsOf(separator);
    return first > 0 && others.length > 0 && others.every((count) => count === first);
  });
  const commas = hasOther ? /(?<!\d),|,(?!\d)/ : ",";
  const agreement = (separator: string) => {
    const pattern = separator === "," ? commas : separator;
    const counts = lines.map((line) => line.split(pattern).length - 1);
    const first = counts[0] ?? 0;
    return first === 0 ? 0 : counts.filter((count) => count === first).length + first / 1000;
  };
  return separators.reduce((best, next) => (agreement(next) > agreement(best) ? next : best));
}
