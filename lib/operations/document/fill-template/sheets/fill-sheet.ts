import type { Element } from "@xmldom/xmldom";
import { attribute, child, children } from "#lib/formats/office/package/xml.ts";
import type { GrowthLimit, Scope } from "../tags/scope.ts";
import type { Tag } from "../tags/tags.ts";
import { fillCell, prepareRows, separateFormulas, templateText } from "./cells.ts";
import { cellPlace, RowExpansion, rowNumber } from "./expand-rows.ts";
import { type MovedSheet, moveRanges } from "./move-ranges.ts";
import { type FormulaPlace, type References, type RowMap, rangePattern } from "./references.ts";

/** The tag of a picture in a sheet, and its cell. */
export interface PictureCell {
  readonly value: unknown;
  readonly tag: Tag;
  readonly place: string;
  /** The reference of the cell, such as `B4`. */
  readonly cell: string;
}

/** A sheet whose cells are filled, and whose references still have the rows of the template. */
export interface FilledSheet extends MovedSheet {
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
export function moveReferences(sheet: FilledSheet, references: References): void {
  const { name, root, rows } = sheet;
  const data = child(root, "sheetData");
  for (const row of data ? children(data, "row") : []) {
    const place = { kind: "cell", sheet: name, row: rowNumber(row) } as const;
    for (const cell of children(row, "c")) moveCellFormula(cell, place, rows, references);
  }
  for (const dimension of children(root, "dimension")) root.removeChild(dimension);
  moveRanges(sheet, references);
}

/** Its result is left out, so that programs calculate it. */
function moveCellFormula(
  cell: Element,
  place: FormulaPlace & { readonly row: number },
  rows: RowMap,
  references: References,
): void {
  const formula = child(cell, "f");
  if (!formula) return;
  formula.textContent = references.move(formula.textContent ?? "", place);
  // The cells of an array formula, of which this is the first.
  const area = attribute(formula, "ref");
  if (area !== undefined) {
    const own = attribute(cell, "r") ?? "";
    const [, , , endColumn, to] = rangePattern.exec(area) ?? [];
    const last = rows.find(Number(to), place.row).last;
    formula.setAttribute(
      "ref",
      endColumn && last >= place.row ? `${own}:${endColumn}${last}` : own,
    );
  }
  for (const value of children(cell, "v")) cell.removeChild(value);
  cell.removeAttribute("t");
}
