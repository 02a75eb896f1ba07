import { isArray, PdfRef, PdfString, type PdfValue } from "./values.ts";

/** The text of a value in a PDF file, in Latin-1. */
export function serialize(value: PdfValue): string {
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "string") return value;
  if (value instanceof PdfRef) return `${value.number} 0 R`;
  if (value instanceof PdfString) return value.source;
  if (isArray(value)) return `[${value.map(serialize).join(" ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([name, entry]) => `${name} ${serialize(entry)}`);
  return `<<${entries.join(" ")}>>`;
}

/** PDF has no exponents. Six decimals are less than a thousandth of a point. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "0";
  const text = String(value);
  if (!text.includes("e")) return text;
  return Math.abs(value) < 1 ? value.toFixed(12).replace(/\.?0+$/, "") : value.toFixed(0);
}
