import { makeOpenXml, relation, relations, wordBody } from "./office-packages.ts";

/** Office Open XML with what printing depends on. */

const xml = `<?xml version="1.0" encoding="UTF-8"?>`;
const main = (kind: string) => `http://schemas.openxmlformats.org/${kind}/2006/main`;

/** A text with an inserted and a deleted word, and a comment. */
export function makeTextWithChanges(): Buffer {
  const author = `w:id="1" w:author="Ann" w:date="2025-01-01T00:00:00Z"`;
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const deleted = `<w:del ${author}><w:r><w:delText xml:space="preserve">deleted </w:delText></w:r></w:del>`;
  const comment = `<w:commentRangeStart w:id="7"/>${run("end")}<w:commentRangeEnd w:id="7"/><w:r><w:commentReference w:id="7"/></w:r>`;
  const body = `<w:p>${run("Kept ")}<w:ins ${author}>${run("inserted ")}</w:ins>${deleted}${comment}</w:p>`;
  return makeOpenXml("docx", [
    { name: "word/document.xml", content: wordBody(body) },
    {
      name: "word/_rels/document.xml.rels",
      content: relations(relation("c", "comments", "comments.xml", false)),
    },
    {
      name: "word/comments.xml",
      content: `${xml}<w:comments xmlns:w="${main("wordprocessingml")}"><w:comment w:id="7" w:author="Ann"><w:p>${run("Remark")}</w:p></w:comment></w:comments>`,
    },
  ]);
}

/** One row of `columns` cells with `text` and their numbers. */
export function sheetRows(columns: number, text = "value"): string {
  const cells = Array.from(
    { length: columns },
    (_, index) => `<c t="inlineStr"><is><t>${text}${index + 1}</t></is></c>`,
  );
  return `<sheetData><row r="1">${cells.join("")}</row></sheetData>`;
}

/** A workbook; `rows` are the content of a sheet, `attributes` those in the list of sheets. */
export function makeSheets(
  sheets: readonly {
    readonly rows: string;
    readonly attributes?: string;
    readonly name?: string;
  }[],
): Buffer {
  const namespaces = `xmlns="${main("spreadsheetml")}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`;
  const list = sheets.map(
    ({ attributes = "", name }, index) =>
      `<sheet name="${name ?? `S${index + 1}`}" sheetId="${index + 1}" ${attributes} r:id="s${index + 1}"/>`,
  );
  const links = sheets.map((_, index) =>
    relation(`s${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`, false),
  );
  return makeOpenXml("xlsx", [
    {
      name: "xl/workbook.xml",
      content: `${xml}<workbook ${namespaces}><sheets>${list.join("")}</sheets></workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: relations(...links) },
    ...sheets.map(({ rows }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `${xml}<worksheet ${namespaces}>${rows}</worksheet>`,
    })),
  ]);
}
