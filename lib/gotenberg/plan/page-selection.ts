import { parsePageSelection } from "#lib/operations/shared/pdf/page-selection.ts";

/**
 * Pages as pdfcpu selects them, such as `1-3,5,7-`, `odd`, `n2`, `l-3-` and `-l-1`, in the grammar of operations. `z`
 * and `end` are the last page of the other engines. Throws an error that says what is possible.
 */
export function toSelection(text: string): string {
  const selection = text
    .split(",")
    .map((item) => toItem(item.trim()))
    .join(",");
  if (parsePageSelection(selection)) return selection;
  throw new Error(
    "wrong value, expected page numbers and ranges such as '1-3,5,7-', 'l', 'l-2-', 'odd', 'even' or '1-,!4'",
  );
}

/** pdfcpu counts from the end in pages before the last one: `l-2` is the third page from the end. */
function toItem(text: string): string {
  return text
    .replace(/^n(?=[\dl-])/, "!")
    .replace(/\bl-(\d+)/, (_, before) => `r${Number(before) + 1}`)
    .replace(/\b(?:l|z|end)\b/, "last")
    .replace(/^!?(?=-)/, (exclusion) => `${exclusion}1`)
    .replace(/-$/, "-last");
}
