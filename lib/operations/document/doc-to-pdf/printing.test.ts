import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { temporaryFolder } from "#tests/samples/documents.ts";
import { makeOpenXml, wordBody } from "#tests/samples/office/office-packages.ts";
import { makeSheets, makeTextWithChanges, sheetRows } from "#tests/samples/office/open-xml.ts";
import { readPdf, readWords } from "#tests/samples/pdf/pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

let folder: string;
let remove: () => Promise<void>;
let count = 0;

beforeAll(async () => {
  [folder, remove] = await temporaryFolder();
});

afterAll(() => remove());

/** Converts a document, and returns the path of the PDF. */
async function print(type: MediaTypeId, content: Buffer, params = {}): Promise<string> {
  const path = join(folder, `case-${count++}.${type}`);
  await writeFile(path, content);
  const { outputs } = await runOperation(docToPdf, { path, type }, params);
  return outputs[0]?.path ?? "";
}

describe("tracked changes and comments of a text", () => {
  it("changes are marked, and comments left out", async () => {
    const path = await print("docx", makeTextWithChanges());
    expect(readPdf(path).text).toBe("Kept inserted deleted end");
    expect(readFileSync(path, "latin1")).not.toContain("/Subtype /Text");
  });

  it("or the changes are accepted, and comments become notes", async () => {
    const params = { changes: "accept", comments: true };
    const path = await print("docx", makeTextWithChanges(), params);
    expect(readPdf(path).text).toBe("Kept inserted end");
    const note = /\/Subtype \/Text \/Rect\[([\d.]+) .*?\/Contents <FEFF(\w+)>/.exec(
      readFileSync(path, "latin1"),
    );
    expect(
      Buffer.from(note?.[2] ?? "", "hex")
        .swap16()
        .toString("utf16le"),
    ).toBe("Remark");
    const last = readWords(path).find(({ text }) => text === "end");
    expect(Number(note?.[1])).toBeGreaterThan(last?.left ?? Number.POSITIVE_INFINITY);
  });
});

describe("sheets", () => {
  it("that are hidden are not printed", async () => {
    const shown = { rows: sheetRows(1, "shown") };
    const hidden = { rows: sheetRows(1, "secret"), attributes: 'state="hidden"' };
    const path = await print("xlsx", makeSheets([shown, hidden, shown]));
    expect(readPdf(path)).toMatchObject({ text: "shown1 shown1", pages: 2 });
  });

  const landscape = '<pageSetup orientation="landscape"/>';
  const scaled = '<pageSetup scale="90"/>';
  it.each([
    ["is scaled to the page", sheetRows(14), {}, 1],
    ["is not scaled if its author has set a scale", sheetRows(14) + scaled, {}, 2],
    ["is not scaled on request", sheetRows(14), { fit_width: "never" }, 2],
    ["of many columns is not scaled", sheetRows(60), {}, 6],
    ["of many columns is scaled on request", sheetRows(60), { fit_width: "always" }, 1],
    ["in landscape has space for more columns", sheetRows(14) + landscape, {}, 1],
  ])("a wide one %s", async (_, rows, params, pages) => {
    const { width, height, ...facts } = readPdf(
      await print("xlsx", makeSheets([{ rows }]), params),
    );
    expect(facts.pages).toBe(pages);
    expect(width > height).toBe(rows.includes("landscape"));
  });
});

it("each sheet is one page, also one that was saved while it was scrolled", async () => {
  const rows = Array.from({ length: 99 }, (_, row) => {
    const cells = ["A", "B", "C"].map(
      (column) =>
        `<c r="${column}${row + 1}" t="inlineStr"><is><t>${column}${row + 1}</t></is></c>`,
    );
    return `<row r="${row + 1}">${cells.join("")}</row>`;
  });
  const data = `<sheetData>${rows.join("")}</sheetData>`;
  const view = (pane: string) =>
    `<sheetViews><sheetView topLeftCell="B37" workbookViewId="0">${pane}</sheetView></sheetViews>${data}`;
  const frozen = '<pane ySplit="2" topLeftCell="B60" activePane="bottomLeft" state="frozen"/>';
  const book = makeSheets([{ rows: view("") }, { rows: view(frozen) }, { rows: data }]);
  const path = await print("xlsx", book, { export_options: { single_page_sheets: true } });
  const words = readWords(path).map(({ text }) => text);
  expect(readPdf(path).pages).toBe(3);
  for (const text of ["A1", "C2", "B50", "C99"]) {
    expect(words.filter((word) => word === text).length, text).toBe(3);
  }
});

/** Fonts of Microsoft Office, and those of the same widths that are installed. */
const replacements = [
  ["Calibri", "Carlito"],
  ["Cambria", "Caladea"],
  ["Arial", "LiberationSans"],
  ["Times New Roman", "LiberationSerif"],
  ["Courier New", "LiberationMono"],
  ["Arial Narrow", "LiberationSansNarrow"],
  ["Verdana", "DejaVuSans"],
] as const;

it("missing fonts are replaced by fonts of the same widths", async () => {
  const run = (font: string) =>
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t>Text</w:t></w:r></w:p>`;
  const body = wordBody(replacements.map(([font]) => run(font)).join(""));
  const path = await print(
    "docx",
    makeOpenXml("docx", [{ name: "word/document.xml", content: body }]),
  );
  const used = execProgram("pdffonts", [path]).toString();
  for (const [, font] of replacements) expect(used).toMatch(new RegExp(`\\+${font}(-Regular)?\\s`));
});

it("a text from right to left begins at the right", async () => {
  const paragraph = `<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>مرحبا بالعالم</w:t></w:r></w:p>`;
  const content = wordBody(paragraph);
  const path = await print("docx", makeOpenXml("docx", [{ name: "word/document.xml", content }]));
  // pdftotext lists words from left to right, with their letters in that order.
  const [second, first] = readWords(path);
  expect([first?.text, second?.text].map((word) => [...(word ?? "")].reverse().join(""))).toEqual([
    "مرحبا",
    "بالعالم",
  ]);
  expect(second?.left).toBeGreaterThan(readPdf(path).width / 2);
});
