import type { PdfFile } from "../objects/file.ts";
import { isDict, type PdfDict, type PdfName, type PdfValue } from "../objects/values.ts";
import { readNumberTree } from "./trees.ts";

/** The labels that viewers show instead of page numbers: i, ii, iii, 1, 2 … (ISO 32000-1, 12.4.2). */

export interface PageLabel {
  /** The style and prefix, without the number. */
  readonly style: PdfDict;
  readonly number: number;
}

/** The label of each page; undefined if the file has none. */
export function readPageLabels(file: PdfFile, pages: number): PageLabel[] | undefined {
  const ranges = readNumberTree(file, file.catalog["/PageLabels"])
    .map(([first, value]) => ({ first, dict: file.resolve(value) }))
    .filter(({ dict }) => isDict(dict))
    .toSorted((a, b) => a.first - b.first);
  if (ranges.length === 0) return undefined;
  let at = -1;
  return Array.from({ length: pages }, (_, page) => {
    while ((ranges[at + 1]?.first ?? Number.POSITIVE_INFINITY) <= page) at++;
    const range = ranges[at];
    const dict = file.dict(range?.dict);
    const style: Record<PdfName, PdfValue> = {};
    for (const name of ["/S", "/P"] as const) {
      const value = file.resolve(dict[name]);
      if (value !== null) style[name] = value;
    }
    const start = typeof dict["/St"] === "number" ? dict["/St"] : 1;
    return { style, number: start + page - (range?.first ?? 0) };
  });
}

/** The labels of pages that have none in their file. */
export function defaultLabels(pages: number): PageLabel[] {
  const style: PdfDict = { "/S": "/D" };
  return Array.from({ length: pages }, (_, page) => ({ style, number: page + 1 }));
}

/** The entries of a number tree for the labels of consecutive pages. */
export function labelRanges(labels: readonly PageLabel[]): [number, PdfDict][] {
  return labels.flatMap(({ style, number }, page): [number, PdfDict][] => {
    const previous = labels[page - 1];
    const continues =
      previous &&
      previous.style["/S"] === style["/S"] &&
      samePrefix(previous.style["/P"], style["/P"]) &&
      (previous.number + 1 === number || style["/S"] === undefined);
    return continues ? [] : [[page, { ...style, ...(number === 1 ? {} : { "/St": number }) }]];
  });
}

const samePrefix = (a: PdfValue | undefined, b: PdfValue | undefined) =>
  JSON.stringify(a) === JSON.stringify(b);
