import type { Element } from "@xmldom/xmldom";
import { attribute, child, children, descendants } from "#lib/formats/office/package/xml.ts";
import { createLike } from "../tags/fill-text.ts";
import type { GrowthLimit, Scope } from "../tags/scope.ts";
import { findClose, splitTags, type Tag, templateError, unexpectedClose } from "../tags/tags.ts";
import { columnNumber, offsetFormula } from "./references.ts";

/** The attribute of cells whose text has tags. Copies of a row keep it. */
export const templateText = "template-text";

/** The most characters that Excel accepts in a cell. */
const maxCellCharacters = 32_767;

/** The texts of the workbook, without those for the pronunciation of Japanese. */
export function readSharedStrings(root: Element | undefined): string[] {
  return root ? children(root, "si").map(readText) : [];
}

function readText(item: Element): string {
  return [...descendants(item, "t")]
    .filter(({ parentNode }) => parentNode?.nodeName.replace(/^.*:/, "") !== "rPh")
    .map((text) => text.textContent ?? "")
    .join("");
}

/** Gives all rows and cells their references, and marks the cells that have tags. */
export function prepareRows(rows: readonly Element[], strings: readonly string[]): void {
  let lastRow = 0;
  for (const row of rows) {
    const number = Number(attribute(row, "r") ?? lastRow + 1);
    lastRow = Number.isInteger(number) && number > lastRow ? number : lastRow + 1;
    row.setAttribute("r", `${lastRow}`);
    let column = "@";
    for (const cell of children(row, "c")) {
      column = /^[A-Z]{1,3}/.exec(attribute(cell, "r") ?? "")?.[0] ?? nextColumn(column);
      cell.setAttribute("r", `${column}${lastRow}`);
      const type = attribute(cell, "t");
      const value = child(cell, "v")?.textContent ?? "";
      const inline = child(cell, "is");
      const text = type === "s" ? strings[Number(value)] : inline ? readText(inline) : undefined;
      if (text?.includes("{")) {
        cell.setAttribute(templateText, text);
        clearCell(cell);
      }
    }
  }
}

function nextColumn(name: string): string {
  if (name === "@") return "A";
  const last = name.at(-1) ?? "A";
  if (last !== "Z") return name.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1);
  return `${nextColumn(name.slice(0, -1) || "@")}A`;
}

/** Writes the formulas that cells share into each of them. */
export function separateFormulas(rows: readonly Element[]): void {
  const masters = new Map<string, { formula: string; column: number; row: number }>();
  for (const cell of rows.flatMap((row) => children(row, "c"))) {
    const formula = child(cell, "f");
    if (attribute(formula, "t") !== "shared" || !formula) continue;
    const [, letters = "A", digits = "1"] =
      /^([A-Z]+)(\d+)$/.exec(attribute(cell, "r") ?? "") ?? [];
    const column = columnNumber(letters);
    const row = Number(digits);
    const id = attribute(formula, "si") ?? "";
    const master = masters.get(id);
    if (formula.textContent) masters.set(id, { formula: formula.textContent, column, row });
    else if (master) {
      formula.textContent = offsetFormula(master.formula, row - master.row, column - master.column);
    }
    for (const name of ["t", "si", "ref"]) formula.removeAttribute(name);
  }
}

function clearCell(cell: Element): void {
  cell.removeAttribute("t");
  for (const content of children(cell)) cell.removeChild(content);
}

/** Whether a row has neither texts nor values. */
export function isBlankRow(row: Element): boolean {
  return children(row, "c").every(
    (cell) => !attribute(cell, templateText)?.trim() && children(cell).length === 0,
  );
}

/** Fills a marked cell. Returns the value and tag of a picture that it has alone. */
export function fillCell(
  cell: Element,
  scope: Scope,
  place: string,
  limit: GrowthLimit,
): { readonly value: unknown; readonly tag: Tag } | undefined {
  const text = attribute(cell, templateText);
  if (text === undefined) return undefined;
  cell.removeAttribute(templateText);
  const pieces = splitTags(text, place).filter((piece) => typeof piece !== "string" || piece);
  const [only] = pieces;
  if (pieces.length === 1 && only && typeof only !== "string") {
    if (only.kind === "picture") return { value: scope.find(only, place), tag: only };
    if (only.kind === "value") {
      writeValue(cell, scope.print(only, place), place, only, limit);
      return undefined;
    }
  }
  writeValue(cell, fillPieces(pieces, scope, place, limit), place, undefined, limit);
  return undefined;
}

/** A text whose sections are closed in the same cell. */
function fillPieces(
  pieces: readonly (string | Tag)[],
  scope: Scope,
  place: string,
  limit: GrowthLimit,
): string {
  const parts: string[] = [];
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] ?? "";
    if (typeof piece === "string") {
      parts.push(piece);
    } else if (piece.kind === "value") {
      parts.push(`${scope.print(piece, place)}`);
    } else if (piece.kind === "picture") {
      throw templateError(place, `{%${piece.name}}`, "a picture needs a cell of its own");
    } else if (piece.kind === "close") {
      throw unexpectedClose({ tag: piece, place });
    } else {
      const tags = pieces.map((tag) => ({
        tag: typeof tag === "string" ? ({ kind: "value", name: "" } as const) : tag,
        place,
      }));
      const end = findClose(tags, index);
      const inner = pieces.slice(index + 1, end);
      for (const item of scope.repeat(piece, place)) {
        limit.repeat(1);
        const text = fillPieces(inner, item, place, limit);
        limit.write(text);
        parts.push(text);
      }
      index = end;
    }
  }
  return parts.join("");
}

function writeValue(
  cell: Element,
  value: string | number | boolean,
  place: string,
  tag: Tag | undefined,
  limit: GrowthLimit,
): void {
  if (value === "") return;
  const add = (parent: Element, name: string) => parent.appendChild(createLike(parent, name));
  if (typeof value !== "string") {
    if (typeof value === "boolean") cell.setAttribute("t", "b");
    add(cell, "v").textContent = `${Number(value)}`;
    return;
  }
  limit.write(value);
  if (value.length > maxCellCharacters) {
    const shown = tag ? `{${tag.name}}` : "its text";
    throw templateError(place, shown, `a cell has ${maxCellCharacters} characters at most`);
  }
  cell.setAttribute("t", "inlineStr");
  const text = add(add(cell, "is") as Element, "t") as Element;
  text.textContent = value.replaceAll(/\r\n?/g, "\n");
  text.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
}
