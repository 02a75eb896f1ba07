import { escapeHtml } from "../markup/escape.ts";

/** Elements of a simple page that HTML does not have. */

/** Marks where a page begins: `label` is its number, or what the document calls it. */
export function pageMark(label: string | number): string {
  return `<page-mark>${escapeHtml(`${label}`)}</page-mark>`;
}

/** An equation, within a line or in a line of its own (`display`); empty if it shows nothing. */
export function equationHtml(tex: string, isDisplay: boolean): string {
  return tex === "" ? "" : `<tex-math${isDisplay ? " display" : ""}>${escapeHtml(tex)}</tex-math>`;
}
