import type { Element } from "@xmldom/xmldom";
import {
  attribute,
  child,
  children,
  descendants,
  isElement,
} from "#lib/formats/office/package/xml.ts";
import type { GrowthLimit, Scope } from "../tags/scope.ts";
import type { Tag } from "../tags/tags.ts";
import { fillCell, prepareRows, separateFormulas, templateText } from "./cells.ts";
import { cellPlace, RowExpansion, rowNumber } from "./expand-rows.ts";
import { moveRange, moveRows, type References, type RowMap, rangePattern } from "./references.ts";

/** The tag of a picture in a sheet, and its cell. */
export interface PictureCell {
  readonly value: unknown;
  readonly tag: Tag;
  readonly place: string;
  /** The reference of the cell, such as `B4`. */
  readonly cell: string;
}

/** A sheet whose cells are filled, and whose references still have the rows of the template. */
export interface FilledSheet {
  readonly name: string;
  readonly root: Element;
  readonly rows: RowExpansion;
  readonly pictures: readonly PictureCell[];
}

/** Fills a sheet. Numbers stay numbers, and formats follow the repeated rows. */
export function fillSheet(
  root: Element,
  name: string,
  strings: readonly string[],
  scope: Scope,
  limit: GrowthLimit,
): FilledSheet {
  const data = child(root, "sheetData");
  const templateRows = data ? children(data, "row") : [];
  prepareRows(templateRows, strings);
  separateFormulas(templateRows);
  const rows = new RowExpansion(templateRows, scope, name, limit);
  const pictures: PictureCell[] = [];
  if (!data) return { name, root, rows, pictures };
  // Removing each row from a long list would be slow.
  const filled = data.cloneNode(false);
  for (const { element: model, scope: own, row } of rows.rows) {
    const element = model.parentNode ? (model.cloneNode(true) as Element) : model;
    filled.appendChild(element);
    element.setAttribute("r", `${row}`);
    for (const cell of children(element, "c")) {
      const place = cellPlace(name, cell);
      const reference = (attribute(cell, "r") ?? "").replace(/(?<!\d)\d+$/, `${row}`);
      cell.setAttribute("r", reference);
      if (!cell.hasAttribute(templateText)) continue;
      const picture = fillCell(cell, own, place, limit);
      if (picture) pictures.push({ ...picture, place, cell: reference });
    }
  }
  root.replaceChild(filled, data);
  return { name, root, rows, pictures };
}

/** Moves the formulas, merged cells and ranges of a filled sheet to the rows that they refer to now. */
export function moveReferences({ name, root, rows }: FilledSheet, references: References): void {
  const move = (formula: string, row: number) => references.inSheet(formula, name, row);
  const data = child(root, "sheetData");
  for (const row of data ? children(data, "row") : []) {
    const number = rowNumber(row);
    for (const cell of children(row, "c")) moveCellFormula(cell, (text) => move(text, number));
  }
  for (const dimension of children(root, "dimension")) root.removeChild(dimension);
  moveMergedCells(child(root, "mergeCells"), rows);
  moveRanges(root, rows, move);
  for (const link of descendants(root, "hyperlink")) {
    const location = attribute(link, "location");
    if (location) link.setAttribute("location", references.outside(location));
  }
  const breaks = child(root, "rowBreaks");
  for (const pageBreak of breaks ? children(breaks, "brk") : []) {
    const last = rows.range(Number(attribute(pageBreak, "id"))).last;
    if (last > 0) pageBreak.setAttribute("id", `${last}`);
  }
}

/** Its result is left out, so that programs calculate it. */
function moveCellFormula(cell: Element, move: (formula: string) => string): void {
  const formula = child(cell, "f");
  if (!formula) return;
  formula.textContent = move(formula.textContent ?? "");
  if (formula.hasAttribute("ref")) formula.setAttribute("ref", attribute(cell, "r") ?? "");
  for (const value of children(cell, "v")) cell.removeChild(value);
  cell.removeAttribute("t");
}

const rangeElements = [
  "conditionalFormatting",
  "dataValidation",
  "hyperlink",
  "autoFilter",
] as const;

/** The formulas of conditions and of lists to choose from. */
const rangeFormulas = ["formula", "formula1", "formula2", "f"];

/** Formulas of a range are relative to its first cell. */
function moveRanges(
  root: Element,
  rows: RowMap,
  move: (formula: string, row: number) => string,
): void {
  const moveFormulas = (parent: Element, [first = ""]: readonly string[]) => {
    const row = Number(/\d+/.exec(first)?.[0] ?? 0);
    for (const element of children(parent).flatMap((inner) => [inner, ...children(inner)]))
      if (rangeFormulas.includes(element.localName ?? "") && children(element).length === 0)
        element.textContent = move(element.textContent ?? "", row);
  };
  for (const element of rangeElements.flatMap((name) => [...descendants(root, name)])) {
    const key = ["sqref", "ref"].find((one) => element.hasAttribute(one));
    if (key === undefined) continue;
    const moved = moveRangeList(attribute(element, key) ?? "", rows);
    if (moved.length > 0) element.setAttribute(key, moved.join(" "));
    else element.parentNode?.removeChild(element);
    moveFormulas(element, moved);
  }
  // Newer kinds of the same, and sparklines, have their range as text.
  const parents = new Set<Element>();
  for (const range of descendants(root, "sqref")) {
    const moved = moveRangeList(range.textContent ?? "", rows);
    const { parentNode: parent } = range;
    if (moved.length === 0 || !isElement(parent) || parents.has(parent)) continue;
    parents.add(parent);
    range.textContent = moved.join(" ");
    moveFormulas(parent, moved);
  }
}

function moveRangeList(ranges: string, rows: RowMap): string[] {
  return ranges.split(/\s+/).flatMap((range) => moveRange(range, rows) ?? []);
}

/** Merged cells of repeated rows are merged in each repetition. */
function moveMergedCells(list: Element | undefined, rows: RowExpansion): void {
  if (!list) return;
  const bySource = Map.groupBy(rows.rows, ({ source }) => source);
  for (const merged of children(list)) {
    const [, column, from, endColumn, to] = rangePattern.exec(attribute(merged, "ref") ?? "") ?? [];
    if (!column || !endColumn) continue;
    const repeated = (bySource.get(Number(from)) ?? []).flatMap(({ row, repetition }) => {
      const last = repetition ? rows.sameRepetition(Number(to), row) : undefined;
      return last === undefined ? [] : [{ first: row, last }];
    });
    const moved = moveRows(Number(from), Number(to), rows);
    const places = repeated.length > 0 ? repeated : moved ? [moved] : [];
    for (const { first, last } of places) {
      const copy = merged.cloneNode(false) as Element;
      copy.setAttribute("ref", `${column}${first}:${endColumn}${last}`);
      list.insertBefore(copy, merged);
    }
    list.removeChild(merged);
  }
  list.removeAttribute("count");
  if (children(list).length === 0) list.parentNode?.removeChild(list);
}
