import type { PdfFile } from "../objects/file.ts";
import { isDict, type PdfDict, PdfRef, type PdfValue, without } from "../objects/values.ts";
import type { Destinations } from "./destinations.ts";
import type { PdfPage } from "./page-tree.ts";

export interface SelectedAnnotations {
  readonly values: readonly PdfValue[];
  /** Object numbers of the widgets of form fields. */
  readonly widgets: readonly number[];
}

export interface AnnotationRules {
  readonly destinations: Destinations;
  /** Object numbers of the pages that stay. */
  readonly pages: ReadonlySet<number>;
  /** Whether names of destinations are replaced by the destinations, because other files have names, too. */
  readonly resolvesNames: boolean;
}

/**
 * The annotations of a page without links to pages that do not stay. Changes `file`: other annotations
 * lose such actions.
 */
export function selectAnnotations(
  file: PdfFile,
  page: PdfPage,
  rules: AnnotationRules,
): SelectedAnnotations {
  const values: PdfValue[] = [];
  const widgets: number[] = [];
  for (const value of file.array(page.dict["/Annots"])) {
    const dict = file.resolve(value);
    if (!isDict(dict)) continue;
    const changed = changeTarget(file, dict, rules);
    if (!changed) continue;
    if (value instanceof PdfRef && changed !== dict) file.set(value, changed);
    values.push(value instanceof PdfRef ? value : changed);
    if (value instanceof PdfRef && dict["/Subtype"] === "/Widget") widgets.push(value.number);
  }
  return { values, widgets };
}

/** Changes the target of a link. Returns undefined for a link that leads to no page that stays. */
function changeTarget(
  file: PdfFile,
  dict: PdfDict,
  { destinations, pages, resolvesNames }: AnnotationRules,
): PdfDict | undefined {
  const target = destinations.targetOf(dict);
  if (!target) return dict;
  const { destination } = target;
  if (destination && pages.has(destination.page)) {
    if (!resolvesNames) return dict;
    if (dict["/Dest"] !== undefined) return { ...dict, "/Dest": destination.value };
    return { ...dict, "/A": { ...file.dict(dict["/A"]), "/D": destination.value } };
  }
  return dict["/Subtype"] === "/Link" ? undefined : without(dict, "/A", "/Dest");
}
