import { invalidUrl } from "../plan/errors.ts";
import type { RgbColor } from "../plan/plan.ts";

/** Arguments of processing options. Each function throws `PictureError` for text that is not allowed. */

/** Larger numbers are of no use, and their products would not be exact. */
const maxNumber = 1e6;

export function invalidArgument(name: string, text: string, expected: string): Error {
  return invalidUrl(`${name} must be ${expected}, not ${JSON.stringify(text.slice(0, 40))}`);
}

export function parseInteger(name: string, text: string, min: number, max = maxNumber): number {
  const value = /^[+-]?\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw invalidArgument(name, text, `an integer from ${min} to ${max}`);
  }
  return value;
}

/** A decimal number from `min` to `max`; above `min` with `isAbove`. */
export function parseNumber(
  name: string,
  text: string,
  { min = -maxNumber, max = maxNumber, isAbove = false } = {},
): number {
  const value = /^[+-]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,2})?$/i.test(text)
    ? Number(text)
    : Number.NaN;
  if (!(value <= max && (isAbove ? value > min : value >= min))) {
    const from = isAbove ? `above ${min}` : `from ${min}`;
    throw invalidArgument(name, text, `a number ${from} to ${max}`);
  }
  return value;
}

const trueTexts = ["1", "t", "T", "true", "TRUE", "True"];

/** As with imgproxy, everything that is not true is false. */
export function parseBoolean(text: string): boolean {
  return trueTexts.includes(text);
}

/** A color of 3 or 6 hexadecimal digits. */
export function parseHexColor(name: string, text: string): RgbColor {
  if (!/^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) {
    throw invalidArgument(name, text, "a color of 3 or 6 hexadecimal digits");
  }
  const full = text.length === 3 ? text.replaceAll(/./g, "$&$&") : text;
  const channel = (start: number) => Number.parseInt(full.slice(start, start + 2), 16);
  return { r: channel(0), g: channel(2), b: channel(4) };
}

/** URL-safe Base64 of UTF-8 text, with or without padding. */
export function decodeBase64(name: string, text: string): string {
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]+$/.test(digits) || digits.length % 4 === 1) {
    throw invalidArgument(name, text, "URL-safe Base64");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(digits, "base64url"));
  } catch {
    throw invalidArgument(name, text, "UTF-8 text in Base64");
  }
}
