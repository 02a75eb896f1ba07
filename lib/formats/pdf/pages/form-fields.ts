import type { PdfFile } from "../objects/file.ts";
import { readText, textString } from "../objects/text.ts";
import {
  isDict,
  type PdfArray,
  type PdfDict,
  type PdfName,
  PdfRef,
  type PdfValue,
  without,
} from "../objects/values.ts";

/** The fields of a form (ISO 32000-1, 12.7). */

const maxDepth = 50;

export interface SelectedFields {
  readonly roots: PdfArray;
  /** Object numbers of the root fields and of all below them. */
  readonly kept: ReadonlySet<number>;
}

/**
 * The root fields of which a widget is among `widgets` (object numbers); with `keepsAll`, all of them.
 * Changes `file`: fields lose the widgets of other pages, and signatures, which no longer fit the file,
 * their values.
 */
export function selectFields(
  file: PdfFile,
  widgets: ReadonlySet<number>,
  keepsAll: boolean,
): SelectedFields {
  const visited = new Set<number>();
  const kept = new Set<number>();
  const keep = (value: PdfValue, type: PdfValue | undefined, depth: number): boolean => {
    const dict = file.resolve(value);
    if (!isDict(dict) || depth > maxDepth) return false;
    if (value instanceof PdfRef && visited.has(value.number)) return false;
    if (value instanceof PdfRef) visited.add(value.number);
    const ownType = dict["/FT"] ?? type;
    let changed: PdfDict = ownType === "/Sig" ? without(dict, "/V") : dict;
    if (dict["/Kids"] !== undefined) {
      const kids = file.array(dict["/Kids"]).filter((kid) => keep(kid, ownType, depth + 1));
      if (kids.length === 0 && !keepsAll) return false;
      changed = { ...changed, "/Kids": kids };
    } else if (!keepsAll && !(value instanceof PdfRef && widgets.has(value.number))) {
      return false;
    }
    if (value instanceof PdfRef) {
      file.set(value, changed);
      kept.add(value.number);
    }
    return true;
  };
  const form = file.dict(file.catalog["/AcroForm"]);
  const roots = file.array(form["/Fields"]).filter((field) => keep(field, undefined, 0));
  return { roots, kept };
}

/** Gives root fields whose names `taken` has other names, and adds the names of all to it. */
export function renameFields(file: PdfFile, fields: PdfArray, taken: Set<string>): void {
  const own = new Set(fields.map((field) => readText(file.resolve(file.dict(field)["/T"]))));
  for (const field of fields) {
    const dict = file.dict(field);
    const name = readText(file.resolve(dict["/T"]));
    if (!taken.has(name) || name === "") continue;
    let count = 2;
    while (taken.has(`${name}_${count}`) || own.has(`${name}_${count}`)) count++;
    own.delete(name);
    own.add(`${name}_${count}`);
    if (field instanceof PdfRef) file.set(field, { ...dict, "/T": textString(`${name}_${count}`) });
  }
  for (const name of own) taken.add(name);
}

/** A dictionary with the entries of both; `first` wins, and dictionaries in them are merged, too. */
export function mergeDicts(first: PdfDict, second: PdfDict): PdfDict {
  const merged: Record<PdfName, PdfValue> = { ...second };
  for (const [key, value] of Object.entries(first)) {
    const name = key as PdfName; // the type of Object.entries is wider
    const other = second[name];
    merged[name] = isDict(value) && isDict(other) ? mergeDicts(value, other) : value;
  }
  return merged;
}
