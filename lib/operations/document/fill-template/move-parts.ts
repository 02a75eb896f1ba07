import type { Element, Node } from "@xmldom/xmldom";
import { readRelationships } from "#lib/formats/office/package/relationships.ts";
import {
  attribute,
  child,
  children,
  descendants,
  numberAttribute,
} from "#lib/formats/office/package/xml.ts";
import type { PackageEdit } from "./package-edit.ts";
import { rowNumber } from "./sheets/expand-rows.ts";
import { type MovedSheet, removeWithList } from "./sheets/move-ranges.ts";
import { columnNumber, moveRange, type References, type RowMap } from "./sheets/references.ts";

/** What programs keep of the cells that a chart shows. */
const chartCaches = ["numCache", "strCache", "multiLvlStrCache"];

/** Moves what refers to the rows of filled sheets from outside of the sheets. */
export class PartMover {
  readonly #edit: PackageEdit;
  readonly #references: References;
  /** Several sheets can have the same part. */
  readonly #moved = new Set<string>();

  constructor(edit: PackageEdit, references: References) {
    this.#edit = edit;
    this.#references = references;
  }

  /** @param sheet undefined for a sheet that is a chart */
  async moveSheetParts(part: string, sheet: MovedSheet | undefined): Promise<void> {
    for (const { name, root } of sheet ? await this.#parts(part, "table") : []) {
      if (!sheet || moveTable(root, sheet)) continue;
      const ids = await this.#edit.remove(name, part);
      const list = child(sheet.root, "tableParts");
      for (const row of list ? children(list) : [])
        if (ids.includes(attribute(row, "id") ?? "")) removeWithList(row, sheet.root);
    }
    for (const { name, root } of await this.#parts(part, "drawing")) {
      if (sheet) for (const anchor of children(root)) moveAnchor(anchor, sheet.rows);
      for (const kind of ["chart", "chartEx"])
        for (const chart of await this.#parts(name, kind)) this.#moveChart(chart.root);
    }
  }

  /** The names of ranges. A print area of which nothing is left is removed. */
  moveNames(workbook: Element): void {
    const names = child(workbook, "definedNames");
    for (const name of names ? children(names, "definedName") : []) {
      const moved = this.#references.move(name.textContent ?? "", { kind: "name" });
      const isOfPrograms = attribute(name, "name")?.startsWith("_xlnm.");
      if (isOfPrograms && moved.includes("#REF!")) removeWithList(name, workbook);
      else name.textContent = moved;
    }
  }

  /** The parts of one kind that a part relates to, each once. */
  async #parts(part: string, kind: string): Promise<{ name: string; root: Element }[]> {
    const found: { name: string; root: Element }[] = [];
    for (const related of (await readRelationships(this.#edit.source, part)).values()) {
      const { target: name, isExternal } = related;
      if (related.kind !== kind || isExternal || this.#moved.has(name)) continue;
      this.#moved.add(name);
      if (this.#edit.has(name)) found.push({ name, root: await this.#edit.root(name) });
    }
    return found;
  }

  #moveChart(root: Element): void {
    const owners = new Set<Node>();
    for (const formula of descendants(root, "f")) {
      formula.textContent = this.#references.move(formula.textContent ?? "", { kind: "chart" });
      if (formula.parentNode) owners.add(formula.parentNode);
    }
    for (const owner of owners)
      for (const cache of children(owner))
        if (chartCaches.includes(cache.localName ?? "")) owner.removeChild(cache);
  }
}

/**
 * Returns whether the table still has rows. One whose list is empty keeps the row under its header, because a table has
 * at least one; and the names of its columns are the texts of its header.
 */
function moveTable(table: Element, { root, rows }: MovedSheet): boolean {
  const [, start, first, end, last] =
    /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(moveRange(attribute(table, "ref") ?? "", rows) ?? "") ??
    [];
  if (!start || !end) return false;
  const headers = numberAttribute(table, "headerRowCount") ?? 1;
  const totals = numberAttribute(table, "totalsRowCount") ?? 0;
  const lastRow = Math.max(Number(last), Number(first) + headers + totals);
  table.setAttribute("ref", `${start}${first}:${end}${lastRow}`);
  child(table, "autoFilter")?.setAttribute("ref", `${start}${first}:${end}${lastRow - totals}`);
  for (const state of [...descendants(table, "sortState")]) state.parentNode?.removeChild(state);
  if (headers > 0) nameColumns(table, root, columnNumber(start), Number(first));
  return true;
}

function nameColumns(table: Element, sheet: Element, column: number, row: number): void {
  const data = child(sheet, "sheetData");
  const header = data && children(data, "row").find((one) => rowNumber(one) === row);
  const texts = new Map(
    (header ? children(header, "c") : []).map((cell) => [
      columnNumber(/^[A-Z]+/.exec(attribute(cell, "r") ?? "")?.[0] ?? ""),
      // Cells without tags have their text in the workbook's list, and their name is right.
      child(cell, "is", "t")?.textContent,
    ]),
  );
  const columns = child(table, "tableColumns");
  for (const [index, one] of (columns ? children(columns, "tableColumn") : []).entries()) {
    const text = texts.get(column + index);
    if (text) one.setAttribute("name", text.replaceAll("\n", "_x000a_"));
  }
}

/** A picture or chart moves with the row of its upper edge, and keeps its height. */
function moveAnchor(anchor: Element, rows: RowMap): void {
  if (attribute(anchor, "editAs") === "absolute") return;
  const top = Number(child(anchor, "from", "row")?.textContent ?? NaN);
  // These rows are counted from 0.
  const shift = rows.find(top + 1).first - (top + 1);
  for (const end of ["from", "to"]) {
    const row = child(anchor, end, "row");
    if (row && shift) row.textContent = `${Number(row.textContent) + shift}`;
  }
}
