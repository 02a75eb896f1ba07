import { PDFDict, type PDFName } from "@cantoo/pdf-lib";
import { key } from "./collect-fields.ts";

/**
 * The name of the state in which a check box or a button of a radio group is on: the one of its
 * appearances that is not `Off` (ISO 32000-1, 12.7.4.2.3).
 */
export function onStateOf(widget: PDFDict): PDFName | undefined {
  const appearances = widget.lookup(key("AP"));
  if (!(appearances instanceof PDFDict)) return undefined;
  for (const name of ["N", "D"]) {
    const states = appearances.lookup(key(name));
    if (!(states instanceof PDFDict)) continue;
    const on = states.keys().find((state) => state !== key("Off"));
    if (on) return on;
  }
  return undefined;
}

export function readOnState(widget: PDFDict): string | undefined {
  return onStateOf(widget)?.decodeText();
}
