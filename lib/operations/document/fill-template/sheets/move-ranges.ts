import type { Element } from "@xmldom/xmldom";
import {
  attribute,
  child,
  children,
  descendants,
  isElement,
} from "#lib/formats/office/package/xml.ts";
import type { RowExpansion } from "./expand-rows.ts";
import { moveRange, moveRows, type References, rangePattern } from "./references.ts";

/** A sheet whose rows were repeated. */
export interface MovedSheet {
  readonly name: string;
  readonly root: Element;
  readonly rows: RowExpansion;
}

/** Elements whose `sqref` or `ref` has cells. */
const rangeElements = [
  "conditionalFormatting",
  "dataValidation",
  "hyperlink",
  "autoFilter",
  "protectedRange",
  "ignoredError",
] as const;

/** The formulas of conditions and of lists to choose from. */
const rangeFormulas = ["formula", "formula1", "formula2", "f"];

/** How far below an element with a range its formulas are. */
const formulaDepth = 4;

/** Moves what a sheet says of ranges of cells: merged cells, conditions, lists to choose from, links and page breaks. */
export function moveRanges(sheet: MovedSheet, references: References): void {
  const { root, rows } = sheet;
  moveMergedCells(root, rows);
  for (const element of rangeElements.flatMap((name) => [...descendants(root, name)])) {
    const key = ["sqref", "ref"].find((one) => element.hasAttribute(one));
    if (key === undefined) continue;
    const moved = moveRangeList(attribute(element, key) ?? "", rows);
    if (moved.length === 0) removeWithList(element, root);
    else element.setAttribute(key, moved.join(" "));
    moveFormulas(element, moved, sheet, references);
  }
  moveExtensions(sheet, references);
  for (const link of descendants(root, "hyperlink")) {
    const location = attribute(link, "location");
    // With an id, it is a place in another file.
    if (!location || attribute(link, "id") !== undefined) continue;
    link.setAttribute("location", references.move(location, { kind: "link", sheet: sheet.name }));
  }
  const breaks = child(root, "rowBreaks");
  for (const pageBreak of breaks ? children(breaks, "brk") : []) {
    const { last } = rows.find(Number(attribute(pageBreak, "id")));
    if (last > 0) pageBreak.setAttribute("id", `${last}`);
  }
}

/** Newer kinds of conditions and lists, and sparklines, have their range as text. */
function moveExtensions(sheet: MovedSheet, references: References): void {
  const { root, rows } = sheet;
  const owners = new Map<Element, Element>();
  for (const range of descendants(root, "sqref"))
    if (isElement(range.parentNode)) owners.set(range.parentNode, range);
  for (const [owner, range] of owners) {
    const isSparkline = owner.localName === "sparkline";
    const cells = isSparkline
      ? cellsOf(range.textContent ?? "", rows)
      : [moveRangeList(range.textContent ?? "", rows)].filter(({ length }) => length > 0);
    if (isSparkline) rows.countElements(cells.length * 3);
    for (const moved of cells.slice(1)) {
      const copy = owner.cloneNode(true) as Element;
      owner.parentNode?.insertBefore(copy, owner);
      moveOwner(copy, moved);
    }
    const [first] = cells;
    if (first) moveOwner(owner, first);
    else removeWithList(owner, root);
  }

  function moveOwner(owner: Element, moved: readonly string[]) {
    const range = child(owner, "sqref");
    if (range) range.textContent = moved.join(" ");
    moveFormulas(owner, moved, sheet, references);
  }
}

/** The new cells of a cell, each as a list of its own. */
function cellsOf(cell: string, rows: RowExpansion): string[][] {
  const [, column, row, endColumn] = rangePattern.exec(cell) ?? [];
  if (!column || endColumn) return [[cell]];
  return rows.find(Number(row)).rows.map((number) => [`${column}${number}`]);
}

/** Formulas of a range are relative to its first cell. */
function moveFormulas(
  owner: Element,
  [first = ""]: readonly string[],
  { name: sheet }: MovedSheet,
  references: References,
): void {
  const row = Number(/\d+/.exec(first)?.[0] ?? 0);
  let elements = children(owner);
  for (let depth = 0; depth < formulaDepth && elements.length > 0; depth++) {
    for (const element of elements)
      if (rangeFormulas.includes(element.localName ?? "") && children(element).length === 0)
        element.textContent = references.move(element.textContent ?? "", {
          kind: "condition",
          sheet,
          row,
        });
    elements = elements.flatMap((element) => children(element));
  }
}

function moveRangeList(ranges: string, rows: RowExpansion): string[] {
  return ranges.split(/\s+/).flatMap((range) => moveRange(range, rows) ?? []);
}

/** Removes an element, and lists that have no other: Excel does not open empty ones. */
export function removeWithList(element: Element, root: Element): void {
  let removed = element;
  for (;;) {
    const { parentNode: list } = removed;
    list?.removeChild(removed);
    if (!isElement(list) || list === root) return;
    list.removeAttribute("count");
    if (children(list).length > 0) return;
    removed = list;
  }
}

/** Merged cells of repeated rows are merged in each repetition. */
function moveMergedCells(root: Element, rows: RowExpansion): void {
  const list = child(root, "mergeCells");
  if (!list) return;
  // Changing a long list is slow.
  const moved = list.cloneNode(false) as Element;
  for (const merged of children(list)) {
    const [, column, from, endColumn, to] = rangePattern.exec(attribute(merged, "ref") ?? "") ?? [];
    if (!column || !endColumn) continue;
    const repeated = rows.find(Number(from)).rows.flatMap((first) => {
      const last = rows.lastInRepetition(Number(to), first);
      return last === undefined ? [] : [{ first, last }];
    });
    const places =
      repeated.length > 0 ? repeated : [moveRows(Number(from), Number(to), rows) ?? []].flat();
    rows.countElements(places.length);
    for (const { first, last } of places) {
      const copy = merged.cloneNode(false) as Element;
      copy.setAttribute("ref", `${column}${first}:${endColumn}${last}`);
      moved.appendChild(copy);
    }
  }
  moved.removeAttribute("count");
  if (children(moved).length > 0) root.replaceChild(moved, list);
  else root.removeChild(list);
}
