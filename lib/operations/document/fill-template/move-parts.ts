import type { Element } from "@xmldom/xmldom";
import { readRelationships } from "#lib/formats/office/package/relationships.ts";
import { attribute, child, children, descendants } from "#lib/formats/office/package/xml.ts";
import type { PackageEdit } from "./package-edit.ts";
import { moveRange, type References, type RowMap } from "./sheets/references.ts";

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

  /** @param rows the rows of the sheet; undefined for a sheet that is a chart */
  async moveSheetParts(sheet: string, rows: RowMap | undefined): Promise<void> {
    for (const table of rows ? await this.#parts(sheet, "table") : []) moveTable(table.root, rows);
    for (const { name, root } of await this.#parts(sheet, "drawing")) {
      if (rows) for (const anchor of children(root)) moveAnchor(anchor, rows);
      for (const kind of ["chart", "chartEx"])
        for (const chart of await this.#parts(name, kind)) this.#moveChart(chart.root);
    }
  }

  /** The names of ranges, such as print areas. */
  moveNames(workbook: Element): void {
    const names = child(workbook, "definedNames");
    for (const name of names ? children(names, "definedName") : [])
      name.textContent = this.#references.outside(name.textContent ?? "");
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
    for (const formula of descendants(root, "f")) {
      formula.textContent = this.#references.outside(formula.textContent ?? "");
      const { parentNode: data } = formula;
      if (!data) continue;
      for (const cache of children(data))
        if (chartCaches.includes(cache.localName ?? "")) data.removeChild(cache);
    }
  }
}

/** A table whose rows are all removed keeps one row under its header: Excel needs it. */
function moveTable(table: Element, rows: RowMap | undefined): void {
  if (!rows) return;
  for (const element of [table, ...descendants(table, "autoFilter")]) {
    const moved = moveRange(attribute(element, "ref") ?? "", rows);
    const [, start, first, end, last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(moved ?? "") ?? [];
    if (!start || !end) continue;
    element.setAttribute(
      "ref",
      `${start}${first}:${end}${Math.max(Number(last), Number(first) + 1)}`,
    );
  }
}

/** A picture or chart moves with the row of its upper edge, and keeps its height. */
function moveAnchor(anchor: Element, rows: RowMap): void {
  if (attribute(anchor, "editAs") === "absolute") return;
  const top = Number(child(anchor, "from", "row")?.textContent ?? NaN);
  // These rows are counted from 0.
  const shift = rows.range(top + 1).first - (top + 1);
  for (const end of ["from", "to"]) {
    const row = child(anchor, end, "row");
    if (row && shift) row.textContent = `${Number(row.textContent) + shift}`;
  }
}
