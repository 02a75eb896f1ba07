/**
 * Parsers of values as Go's standard library reads them. They throw an error with Go's message, which clients of
 * Gotenberg know.
 */

const trueTexts: readonly string[] = ["1", "t", "T", "TRUE", "true", "True"];
const falseTexts: readonly string[] = ["0", "f", "F", "FALSE", "false", "False"];

export function parseBool(text: string): boolean {
  if (trueTexts.includes(text)) return true;
  if (falseTexts.includes(text)) return false;
  throw syntaxError("ParseBool", text);
}

export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw syntaxError("Atoi", text);
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
}

export function parseFloat64(text: string): number {
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  if (!isNumber) throw syntaxError("ParseFloat", text);
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`strconv.ParseFloat: parsing ${quote(text)}: value out of range`);
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Parses a duration such as `1m30s` or `500ms`. Returns milliseconds. */
export function parseDuration(text: string): number {
  const [, sign, rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0;
  if (rest === "") throw new Error(`time: invalid duration ${quote(text)}`);
  let ms = 0;
  let left = rest;
  while (left !== "") {
    const [all, digits, unit = ""] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(left) ?? [];
    if (all === undefined) throw new Error(`time: invalid duration ${quote(text)}`);
    if (unit === "") throw new Error(`time: missing unit in duration ${quote(text)}`);
    const factor = unitMs[unit];
    if (factor === undefined) {
      throw new Error(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`);
    }
    ms += Number(digits) * factor;
    left = left.slice(all.length);
  }
  return sign === "-" ? -ms : ms;
}

/** Parses a number of bytes such as `5MB` or `1GiB`; undefined if it is none. */
export function parseByteCount(text: string): number | undefined {
  const [, digits, unit = "", binary] =
    /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const power = ["", "k", "m", "g", "t"].indexOf(unit.toLowerCase());
  return Math.round(Number(digits) * (binary ? 1024 : 1000) ** power);
}

function syntaxError(name: string, text: string): Error {
  return new Error(`strconv.${name}: parsing ${quote(text)}: invalid syntax`);
}

/** Text in quotation marks, with Go's escapes. */
function quote(text: string): string {
  return JSON.stringify(text);
}
