import type { Element } from "@xmldom/xmldom";
import { JobError } from "#lib/errors.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { readRelationships } from "#lib/formats/office/package/relationships.ts";
import {
  attribute,
  child,
  children,
  descendants,
  numberAttribute,
} from "#lib/formats/office/package/xml.ts";
import { renderRuns, type StyledText, trimRuns } from "../content/html.ts";
import type { Omitted } from "../content/omitted.ts";
import { formatCode, formatNumber } from "./number-format.ts";

/** More cells make no Markdown that anyone reads. */
const maxCells = 500_000;
const maxColumns = 200;

interface Workbook {
  readonly document: DocumentPackage;
  readonly omitted: Omitted;
  readonly strings: readonly (readonly StyledText[])[];
  /** The format code of each cell style. */
  readonly formats: readonly string[];
  readonly usesDates1904: boolean;
  cells: number;
  /** Whether a formula has no stored result. */
  needsCalculation: boolean;
}

export interface WorkbookHtml {
  readonly html: string;
  /** Whether results of formulas are missing: the program that wrote the file did not calculate them. */
  readonly needsCalculation: boolean;
}

/** An XLSX as HTML: a heading and the tables of each visible sheet. */
export async function readXlsx(document: DocumentPackage, omitted: Omitted): Promise<WorkbookHtml> {
  const main = "xl/workbook.xml";
  const xml = await document.requireXml(main);
  const root = xml.documentElement ?? undefined;
  const relationships = await readRelationships(document, main);
  const workbook: Workbook = {
    document,
    omitted,
    strings: await readStrings(document),
    formats: await readFormats(document),
    usesDates1904: /^(1|true)$/.test(attribute(child(root, "workbookPr"), "date1904") ?? ""),
    cells: 0,
    needsCalculation: false,
  };
  const list = child(root, "sheets");
  const parts: string[] = [];
  for (const sheet of list ? children(list, "sheet") : []) {
    if (/hidden/i.test(attribute(sheet, "state") ?? "")) {
      omitted.add("sheet");
      continue;
    }
    const target = relationships.get(attribute(sheet, "id") ?? "")?.target;
    const html = target ? await readSheet(workbook, target) : "";
    if (html !== "") parts.push(`<h2>${escapeHtml(attribute(sheet, "name") ?? "")}</h2>${html}`);
  }
  return { html: parts.join(""), needsCalculation: workbook.needsCalculation };
}

async function readStrings(document: DocumentPackage): Promise<StyledText[][]> {
  const xml = await document.readXml("xl/sharedStrings.xml");
  return (xml?.documentElement ? children(xml.documentElement, "si") : []).map(readText);
}

/** The text of a string; hints how Japanese is read are left out. */
function readText(item: Element): StyledText[] {
  const runs = children(item).filter(({ localName }) => localName === "t" || localName === "r");
  return runs.map((run) => {
    const script = attribute(child(run, "rPr", "vertAlign"), "val");
    return {
      text: run.textContent ?? "",
      sup: script === "superscript",
      sub: script === "subscript",
    };
  });
}

async function readFormats(document: DocumentPackage): Promise<string[]> {
  const xml = await document.readXml("xl/styles.xml");
  const root = xml?.documentElement ?? undefined;
  const definitions = child(root, "numFmts");
  const custom = new Map(
    (definitions ? children(definitions, "numFmt") : []).map((format) => [
      numberAttribute(format, "numFmtId") ?? 0,
      attribute(format, "formatCode") ?? "General",
    ]),
  );
  const styles = child(root, "cellXfs");
  return (styles ? children(styles, "xf") : []).map((style) =>
    formatCode(numberAttribute(style, "numFmtId") ?? 0, custom),
  );
}

interface Cell {
  readonly html: string;
  readonly isNumber: boolean;
}

async function readSheet(workbook: Workbook, name: string): Promise<string> {
  const xml = await workbook.document.readXml(name);
  const root = xml?.documentElement;
  const data = root && child(root, "sheetData");
  if (!data) return "";
  const links = await readLinks(workbook.document, name, root);
  await countDrawings(workbook, name);
  const rows: Cell[][] = [];
  let last = 0;
  for (const row of children(data, "row")) {
    const number = numberAttribute(row, "r") ?? last + 1;
    const cells = readRow(row, workbook, links);
    // An empty row ends a table.
    if (number > last + 1) rows.push([]);
    const isHidden = attribute(row, "hidden") === "1";
    if (isHidden && cells.length > 0) workbook.omitted.add("row");
    rows.push(isHidden ? [] : cells);
    last = number;
    workbook.cells += cells.length;
    if (workbook.cells > maxCells) {
      const message = "The workbook has too many cells. Convert it to CSV instead.";
      throw new JobError("too_complex", message);
    }
  }
  return splitTables(rows).map(renderBlock).join("");
}

/** Counts the charts, text boxes and pictures that lie over the cells of a sheet. */
async function countDrawings({ document, omitted }: Workbook, sheet: string): Promise<void> {
  for (const { kind, target } of (await readRelationships(document, sheet)).values()) {
    const root = kind === "drawing" ? (await document.readXml(target))?.documentElement : undefined;
    if (!root) continue;
    omitted.add("chart", [...descendants(root, "graphicFrame")].length);
    omitted.add("picture", [...descendants(root, "pic")].length);
    const shapes = [...descendants(root, "sp")];
    const boxes = shapes.filter((shape) => child(shape, "txBody")?.textContent?.trim());
    omitted.add("textBox", boxes.length);
  }
}

async function readLinks(document: DocumentPackage, name: string, root: Element) {
  const relationships = await readRelationships(document, name);
  const links = new Map<string, string>();
  for (const link of descendants(root, "hyperlink")) {
    const target = relationships.get(attribute(link, "id") ?? "");
    if (target?.isExternal) links.set(attribute(link, "ref") ?? "", target.target);
  }
  return links;
}

function readRow(row: Element, workbook: Workbook, links: ReadonlyMap<string, string>): Cell[] {
  const cells: Cell[] = [];
  let next = 0;
  for (const cell of children(row, "c")) {
    const reference = attribute(cell, "r") ?? "";
    const column = /^[A-Z]{1,3}/.test(reference) ? columnIndex(reference) : next;
    next = column + 1;
    const { runs, isNumber } = readCell(cell, workbook);
    const content = renderRuns(trimRuns(runs));
    if (content === "") continue;
    if (column >= maxColumns) {
      workbook.omitted.add("cell");
      continue;
    }
    const link = links.get(reference);
    const html = link ? `<a href="${escapeHtml(link)}">${content}</a>` : content;
    while (cells.length < column) cells.push({ html: "", isNumber: false });
    cells[column] = { html, isNumber };
  }
  return cells;
}

/** The index of the column of a reference such as `AB12`. */
function columnIndex(reference: string): number {
  const [letters = "A"] = /^[A-Z]+/.exec(reference) ?? [];
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface CellContent {
  readonly runs: readonly StyledText[];
  readonly isNumber: boolean;
}

function readCell(cell: Element, workbook: Workbook): CellContent {
  const type = attribute(cell, "t") ?? "n";
  const value = child(cell, "v")?.textContent ?? "";
  const text = (content: string) => ({ runs: [{ text: content }], isNumber: false });
  if (type === "s") return { runs: workbook.strings[Number(value)] ?? [], isNumber: false };
  if (type === "b") return text(value === "1" ? "TRUE" : "FALSE");
  if (type === "inlineStr") {
    const inline = child(cell, "is");
    return { runs: inline ? readText(inline) : [], isNumber: false };
  }
  // The result of a text formula may be empty; that of others has a value.
  if (type === "n" && value === "" && child(cell, "f")) workbook.needsCalculation = true;
  const number = Number(value);
  if (type !== "n" || value === "" || !Number.isFinite(number)) return text(value);
  const code = workbook.formats[numberAttribute(cell, "s") ?? 0] ?? "General";
  const formatted = formatNumber(number, code, workbook.usesDates1904);
  return { runs: [{ text: formatted }], isNumber: true };
}

/** The blocks of rows between empty rows. */
function splitTables(rows: readonly Cell[][]): Cell[][][] {
  const blocks: Cell[][][] = [];
  let block: Cell[][] = [];
  for (const row of [...rows, []]) {
    if (row.some(({ html }) => html !== "")) {
      block.push(row);
    } else if (block.length > 0) {
      blocks.push(block);
      block = [];
    }
  }
  return blocks;
}

/** A table without empty columns. A row of one text before it, such as a title, is a paragraph. */
function renderBlock(block: readonly Cell[][]): string {
  const filled = (row: readonly Cell[]) => row.filter((cell) => cell?.html);
  const start = block.findIndex((row) => filled(row).length > 1);
  const titles = start < 0 ? block : block.slice(0, start);
  const rows = start < 0 ? [] : block.slice(start);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
    rows.some((row) => row[column]?.html),
  );
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const cell = row[column];
      return `<td${cell?.isNumber || !cell?.html ? ' align="right"' : ""}>${cell?.html ?? ""}</td>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const paragraphs = titles.map(
    (row) =>
      `<p>${filled(row)
        .map(({ html }) => html)
        .join(" ")}</p>`,
  );
  return `${paragraphs.join("")}${lines.length > 0 ? `<table>${lines.join("")}</table>` : ""}`;
}
