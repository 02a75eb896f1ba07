import { z } from "zod";
import { parsePageSelection } from "../../shared/pdf/page-selection.ts";

/** Pages of a PDF; `description` says what is done with them. Ranges may go down if `reversible`. */
export function pageSelection(description: string, { reversible = false } = {}) {
  return z
    .string()
    .max(2000)
    .refine((text) => parsePageSelection(text, reversible) !== undefined, {
      error:
        "must be page numbers and ranges such as 1-3,5,8-last; the first page is 1, and last is the last one",
    })
    .describe(description);
}
