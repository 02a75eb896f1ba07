import { z } from "zod";

/** Page sizes and margins of PDFs that are printed. Parsed lengths are in inches. */

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface PageMargins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const perInch = { mm: 25.4, cm: 2.54, in: 1, px: 96, pt: 72 } as const;

const length = "(\\d{1,5}(?:\\.\\d{1,6})?)\\s*(mm|cm|in|px|pt)";
const lengthPattern = new RegExp(`^${length}$`, "i");
const sizePattern = new RegExp(`^${length}\\s*x\\s*${length}$`, "i");

/** ISO 216 sizes and US sizes. All are portrait except Ledger. */
const namedSizes: ReadonlyMap<string, PageSize> = new Map([
  ["a0", fromMillimeters(841, 1189)],
  ["a1", fromMillimeters(594, 841)],
  ["a2", fromMillimeters(420, 594)],
  ["a3", fromMillimeters(297, 420)],
  ["a4", fromMillimeters(210, 297)],
  ["a5", fromMillimeters(148, 210)],
  ["a6", fromMillimeters(105, 148)],
  ["letter", { width: 8.5, height: 11 }],
  ["legal", { width: 8.5, height: 14 }],
  ["tabloid", { width: 11, height: 17 }],
  ["ledger", { width: 17, height: 11 }],
]);

/**
 * The shortest side, 10 mm, in inches. The longest one is 200 inches, the longest side of a PDF
 * page (ISO 32000, annex C).
 */
const minSide = 10 / 25.4;
const maxSide = 200;

/** The least width and height between the margins, in inches: 5 mm. */
const minContent = 5 / 25.4;

export const pageSize = z
  .string()
  .max(50)
  .refine((text) => parsePageSize(text) !== undefined, {
    error:
      "must be A0 to A6, Letter, Legal, Tabloid, Ledger, or width x height with units, such as 210mmx297mm, each from 10mm to 200in",
  })
  .default("A4")
  .describe(
    "A0 to A6, Letter, Legal, Tabloid, Ledger, or width x height with units (mm, cm, in, px, pt), such as 210mmx297mm. Case does not matter.",
  );

export function margin(preset: string) {
  return z
    .string()
    .max(100)
    .refine((text) => parseMargin(text) !== undefined, {
      error: "must be one to four lengths in mm, cm, in, px or pt, such as 1cm or 10mm 20mm",
    })
    .default(preset)
    .describe(
      "One to four lengths in CSS order (top, right, bottom, left), with the unit mm, cm, in, px or pt.",
    );
}

/** Parses a page size. Undefined if the text is not one or is out of bounds. */
export function parsePageSize(text: string): PageSize | undefined {
  const trimmed = text.trim().toLowerCase();
  const named = namedSizes.get(trimmed);
  if (named) return named;
  const [, width, widthUnit, height, heightUnit] = sizePattern.exec(trimmed) ?? [];
  const size = { width: toInches(width, widthUnit), height: toInches(height, heightUnit) };
  const fits = (side: number) => side >= minSide && side <= maxSide;
  return fits(size.width) && fits(size.height) ? size : undefined;
}

/** Parses one to four lengths as CSS's `margin` does. Undefined if the text is anything else. */
export function parseMargin(text: string): PageMargins | undefined {
  const lengths = text
    .trim()
    .split(/\s+/)
    .map((part) => {
      if (part === "0") return 0;
      const [, value, unit] = lengthPattern.exec(part) ?? [];
      return toInches(value, unit);
    });
  const [top = Number.NaN, right = top, bottom = top, left = right] = lengths;
  if (lengths.length > 4 || lengths.some((value) => !(value <= maxSide))) return undefined;
  return { top, right, bottom, left };
}

/** The size of the page; with `landscape`, the longer side is the width. */
export function layOutPage(sizeText: string, landscape: boolean): PageSize {
  const size = parsePageSize(sizeText);
  if (!size) throw new Error("the page size was not validated");
  if (!landscape) return size;
  return { width: Math.max(size.width, size.height), height: Math.min(size.width, size.height) };
}

/** Whether the area between the margins is large enough to print on. */
export function hasContentArea(page: PageSize, margins: PageMargins): boolean {
  const width = page.width - margins.left - margins.right;
  return width >= minContent && page.height - margins.top - margins.bottom >= minContent;
}

function toInches(value: string | undefined, unit: string | undefined): number {
  // The pattern matches only these units. Without a match both are undefined.
  return Number(value) / perInch[unit?.toLowerCase() as keyof typeof perInch];
}

function fromMillimeters(width: number, height: number): PageSize {
  return { width: width / perInch.mm, height: height / perInch.mm };
}
