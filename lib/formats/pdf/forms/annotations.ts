import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFStream,
} from "@cantoo/pdf-lib";
import { formOf, inherited } from "./collect-fields.ts";

/** How the appearance of an annotation becomes page content. */
export type Appearance = "stored" | "missing" | "none";

const name = (text: string) => PDFName.of(text);

/** The flags Hidden and NoView (ISO 32000-1, 12.5.3). */
const invisibleFlags = 2 | 32;

/** The annotations of a page, with the references or dictionaries of its array. */
export function annotationsOf(page: PDFPage): { entry: PDFObject; dict: PDFDict }[] {
  const entries = page.node.Annots()?.asArray() ?? [];
  return entries.flatMap((entry) => {
    const dict = page.doc.context.lookup(entry);
    return dict instanceof PDFDict ? [{ entry, dict }] : [];
  });
}

/** Whether readers make the appearances of text fields and lists again. */
export function needsAppearances(document: PDFDocument): boolean {
  return `${formOf(document)?.lookup(name("NeedAppearances"))}` === "true";
}

/** How `annotation` is drawn; `isStale`: the stored appearances of text fields do not count. */
export function appearanceOf(annotation: PDFDict, isStale: boolean): Appearance {
  const subtype = `${annotation.lookup(name("Subtype"))}`;
  const flags = annotation.lookup(name("F"));
  const isInvisible = flags instanceof PDFNumber && (flags.asNumber() & invisibleFlags) !== 0;
  if (isInvisible || subtype === "/Popup") return "none";
  const fieldType = `${inherited(annotation, "FT")}`;
  const isText = subtype === "/Widget" && (fieldType === "/Tx" || fieldType === "/Ch");
  if (hasAppearance(annotation)) return isText && isStale ? "missing" : "stored";
  if (subtype === "/Link") return hasBorder(annotation) ? "missing" : "none";
  return "missing";
}

function hasAppearance(annotation: PDFDict): boolean {
  const appearances = annotation.lookup(name("AP"));
  if (!(appearances instanceof PDFDict)) return false;
  const normal = appearances.lookup(name("N"));
  // A dictionary of states may lack the present one, which then looks like nothing.
  return normal instanceof PDFStream || normal instanceof PDFDict;
}

function hasBorder(annotation: PDFDict): boolean {
  const style = annotation.lookup(name("BS"));
  const border = annotation.lookup(name("Border"));
  const width =
    style instanceof PDFDict
      ? style.lookup(name("W"))
      : border instanceof PDFArray
        ? border.lookup(2)
        : undefined;
  return !(width instanceof PDFNumber) || width.asNumber() > 0;
}
