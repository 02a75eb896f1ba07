import { z } from "zod";
import { parsePageSelection, type SelectionKind } from "../../shared/pdf/page-selection.ts";

const ends = "the first page is 1, the last one is last, and r2 is the one before it";

const errors: Readonly<Record<SelectionKind, string>> = {
  set: `must be page numbers and ranges such as 1-3,5,8-last, odd or even, and exclusions such as !4; ${ends}`,
  parts: `must be page numbers and ranges such as 1-3,5,8-last, odd or even, without exclusions; ${ends}`,
  order: `must be page numbers and ranges such as 3,1,8-last, odd or even, without exclusions; ${ends}`,
};

const examples: Readonly<Record<SelectionKind, string>> = {
  set: "1-3,5,8-last, odd, even, r2 (the last but one) or !4 (without page 4)",
  parts: "1-3,4-6,7-last, odd, even or r2 (the last but one)",
  order: "3,1,5-8, odd, even or r2 (the last but one)",
};

interface SelectionText {
  readonly kind?: SelectionKind;
  /** What is said after the examples. */
  readonly more: string;
}

/** Pages of a PDF; `purpose` says what they are for. */
export function pageSelection(purpose: string, { kind = "set", more }: SelectionText) {
  return z
    .string()
    .max(2000)
    .refine((text) => parsePageSelection(text, kind) !== undefined, { error: errors[kind] })
    .describe(`${purpose}, such as ${examples[kind]}. ${more}`);
}
