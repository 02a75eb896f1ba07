import type { Element } from "@xmldom/xmldom";
import { attribute, child, children, descendants } from "#lib/formats/office/package/xml.ts";
import type { GrowthLimit, Scope } from "../tags/scope.ts";
import type { Tag } from "../tags/tags.ts";
import { fillCell, prepareRows, separateFormulas, templateText } from "./cells.ts";
import { cellPlace, RowExpansion } from "./expand-rows.ts";
import { moveFormula, moveRows } from "./references.ts";

/** The tag of a picture in a sheet, and its cell. */
export interface PictureCell {
  readonly value: unknown;
  readonly tag: Tag;
  readonly place: string;
  /** The reference of the cell, such as `B4`. */
  readonly cell: string;
}

/** Fills a sheet. Numbers stay numbers; formulas, merged cells and formats follow the repeated rows. */
export function fillSheet(
  root: Element,
  name: string,
  strings: readonly string[],
  scope: Scope,
  limit: GrowthLimit,
): PictureCell[] {
  const data = child(root, "sheetData");
  if (!data) return [];
  const templateRows = children(data, "row");
  prepareRows(templateRows, strings);
  separateFormulas(templateRows);
  const expansion = new RowExpansion(templateRows, scope, name, limit);
  // Removing each row from a long list would be slow.
  const filled = data.cloneNode(false);
  const pictures: PictureCell[] = [];
  for (const { element: model, scope: own, row } of expansion.rows) {
    const element = model.parentNode ? (model.cloneNode(true) as Element) : model;
    filled.appendChild(element);
    element.setAttribute("r", `${row}`);
    for (const cell of children(element, "c")) {
      const place = cellPlace(name, cell);
      const reference = (attribute(cell, "r") ?? "").replace(/(?<!\d)\d+$/, `${row}`);
      cell.setAttribute("r", reference);
      if (cell.hasAttribute(templateText)) {
        const picture = fillCell(cell, own, place, limit);
        if (picture) pictures.push({ ...picture, place, cell: reference });
      }
      moveCellFormula(cell, row, expansion);
    }
  }
  root.replaceChild(filled, data);
  moveRanges(root, expansion);
  return pictures;
}

/** Its result is left out, so that programs calculate it. */
function moveCellFormula(cell: Element, row: number, rows: RowExpansion): void {
  const formula = child(cell, "f");
  if (!formula) return;
  formula.textContent = moveFormula(formula.textContent ?? "", row, rows);
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

function moveRanges(root: Element, rows: RowExpansion): void {
  for (const dimension of children(root, "dimension")) root.removeChild(dimension);
  moveMergedCells(child(root, "mergeCells"), rows);
  for (const name of rangeElements) {
    for (const element of [...descendants(root, name)]) {
      const key = element.hasAttribute("sqref") ? "sqref" : "ref";
      const moved = (attribute(element, key) ?? "")
        .split(/\s+/)
        .flatMap((range) => moveRange(range, rows) ?? []);
      if (moved.length > 0) element.setAttribute(key, moved.join(" "));
      else element.parentNode?.removeChild(element);
    }
  }
}

const rangePattern = /^(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?$/;

function moveRange(range: string, rows: RowExpansion): string | undefined {
  const [, column, from, endColumn = column, to = from] = rangePattern.exec(range) ?? [];
  if (!column) return range;
  const moved = moveRows(Number(from), Number(to), rows);
  return moved && `${column}${moved.first}:${endColumn}${moved.last}`;
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
