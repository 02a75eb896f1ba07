import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeOpenXml, relation, relations } from "#tests/samples/office/office-packages.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation } from "#tests/support/operation.ts";
import { fillTemplate } from "../index.ts";
import { References } from "./references.ts";

/** Row 5 was repeated three times, and the rows after it moved by two. */
const repeated = {
  range: (row: number) =>
    row < 5
      ? { first: row, last: row }
      : row === 5
        ? { first: 5, last: 7 }
        : { first: row + 2, last: row + 2 },
  sameRepetition: (row: number, near: number) =>
    row === 5 && near >= 5 && near <= 7 ? near : undefined,
};
/** Row 5 was removed. */
const shorter = {
  range: (row: number) => (row === 5 ? { first: 5, last: 4 } : { first: row, last: row }),
  sameRepetition: () => undefined,
};
const references = new References([
  ["Offer", repeated],
  ["It's", shorter],
]);

describe("a formula", () => {
  it.each([
    ["Offer!D6*2", "Offer!D8*2"],
    ["SUM(Offer!D5)+offer!$D$5", "SUM(Offer!D5:D7)+offer!$D$5"],
    ["SUM('Offer'!D4:D5)", "SUM('Offer'!D4:D7)"],
    ["'It''s'!D5+'It''s'!D6", "0+'It''s'!D6"],
    ["Other!D6+[1]Offer!D6+'[1]Offer'!D6", "Other!D6+[1]Offer!D6+'[1]Offer'!D6"],
    ["SUM(Offer:Other!D6)+SUM('Offer:Other'!D6)", "SUM(Offer:Other!D6)+SUM('Offer:Other'!D6)"],
    ['"Offer!D6"&D6&Offer!Total', '"Offer!D6"&D6&Offer!Total'],
  ])("of another sheet: %s becomes %s", (formula, moved) => {
    expect(references.inSheet(formula, "Summary", 1)).toBe(moved);
  });

  it("has the cell of its own repetition, also with the name of its sheet", () => {
    expect(references.inSheet("Offer!B5*C5+D6", "Offer", 6)).toBe("Offer!B6*C6+D8");
  });

  it("of a chart has all repetitions of a cell", () => {
    expect(references.outside("Offer!$D$5")).toBe("Offer!$D$5:$D$7");
    expect(references.outside("'It''s'!$D$5:$D$5")).toBe("#REF!");
  });
});

const schemas = "http://schemas.openxmlformats.org";
const main = `xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"`;
const cell = (reference: string, value: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const series = (reference: string) =>
  `<c:val><c:numRef><c:f>${reference}</c:f><c:numCache><c:ptCount val="1"/><c:pt idx="0"><c:v>0</c:v></c:pt></c:numCache></c:numRef></c:val>`;

/** An offer with a chart, a table, a condition, a list to choose from, a name and a summary in another sheet. */
const workbook = makeOpenXml("xlsx", [
  {
    name: "xl/workbook.xml",
    content: `<workbook ${main}><sheets><sheet name="Summary" sheetId="1" r:id="s1"/><sheet name="Offer" sheetId="2" r:id="s2"/></sheets><definedNames><definedName name="Total">Offer!$B$4</definedName></definedNames></workbook>`,
  },
  {
    name: "xl/_rels/workbook.xml.rels",
    content: relations(
      relation("s1", "worksheet", "worksheets/sheet1.xml", false),
      relation("s2", "worksheet", "worksheets/sheet2.xml", false),
    ),
  },
  {
    name: "xl/worksheets/sheet1.xml",
    content: `<worksheet ${main}><sheetData><row r="1">${cell("A1", "For {name}")}<c r="B1"><f>Offer!B4</f><v>0</v></c><c r="C1"><f>Total*2</f></c></row></sheetData></worksheet>`,
  },
  {
    name: "xl/worksheets/sheet2.xml",
    content: `<worksheet ${main}><sheetData><row r="1">${cell("A1", "Item")}${cell("B1", "Price")}</row><row r="2">${cell("A2", "{#items}{title}")}${cell("B2", "{price}{/items}")}</row><row r="4">${cell("A4", "Total")}<c r="B4"><f>SUM(B2:B2)</f></c></row></sheetData><conditionalFormatting sqref="B2"><cfRule type="expression" priority="1"><formula>B2&gt;$B$4/2</formula></cfRule></conditionalFormatting><dataValidations><dataValidation type="list" sqref="A4"><formula1>$A$2:$A$2</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A4" location="Offer!B4"/></hyperlinks><rowBreaks><brk id="4" max="16383" man="1"/></rowBreaks><drawing r:id="d1"/><tableParts><tablePart r:id="t1"/></tableParts><extLst><ext><x14:sparkline xmlns:x14="x" xmlns:xm="m"><xm:f>Offer!B2:B4</xm:f><xm:sqref>C4</xm:sqref></x14:sparkline></ext></extLst></worksheet>`,
  },
  {
    name: "xl/worksheets/_rels/sheet2.xml.rels",
    content: relations(
      relation("d1", "drawing", "../drawings/drawing1.xml", false),
      relation("t1", "table", "../tables/table1.xml", false),
    ),
  },
  {
    name: "xl/tables/table1.xml",
    content: `<table ${main} id="1" name="T" displayName="T" ref="A1:B2"><autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="Item"/><tableColumn id="2" name="Price"/></tableColumns></table>`,
  },
  {
    name: "xl/drawings/drawing1.xml",
    content: `<xdr:wsDr xmlns:xdr="${schemas}/drawingml/2006/spreadsheetDrawing"><xdr:twoCellAnchor><xdr:from><xdr:row>5</xdr:row></xdr:from><xdr:to><xdr:row>9</xdr:row></xdr:to></xdr:twoCellAnchor></xdr:wsDr>`,
  },
  {
    name: "xl/drawings/_rels/drawing1.xml.rels",
    content: relations(relation("c1", "chart", "../charts/chart1.xml", false)),
  },
  {
    name: "xl/charts/chart1.xml",
    content: `<c:chartSpace xmlns:c="${schemas}/drawingml/2006/chart">${series("Offer!$B$2")}</c:chartSpace>`,
  },
]);

async function fill(items: unknown, format = "same"): Promise<string> {
  const path = join(temporaryFolder(), "template.xlsx");
  writeFileSync(path, workbook);
  const params = { data: { name: "Anna", items }, format };
  const { outputs } = await runOperation(fillTemplate, { path, type: "xlsx" }, params);
  return outputs[0]?.path ?? "";
}

const unzip = (path: string, part: string) => execFileSync("unzip", ["-p", path, part]).toString();

describe("a workbook whose rows are repeated", () => {
  const items = ["Tea", "Mug", "Cup"].map((title, index) => ({ title, price: (index + 1) * 10 }));

  it("has the right references in other sheets, names, charts, tables, conditions and lists", async () => {
    const path = await fill(items);
    expect(unzip(path, "xl/workbook.xml")).toContain(">Offer!$B$6<");
    expect(unzip(path, "xl/worksheets/sheet1.xml")).toContain('<c r="B1"><f>Offer!B6</f></c>');
    const sheet = unzip(path, "xl/worksheets/sheet2.xml");
    for (const expected of [
      "<f>SUM(B2:B4)</f>",
      'sqref="B2:B4"><cfRule type="expression" priority="1"><formula>B2&gt;$B$6/2<',
      'sqref="A6:A6"><formula1>$A$2:$A$4<',
      'location="Offer!B6"',
      '<brk id="6"',
      "<xm:f>Offer!B2:B6</xm:f><xm:sqref>C6:C6</xm:sqref>",
    ])
      expect(sheet).toContain(expected);
    expect(unzip(path, "xl/tables/table1.xml").match(/ref="[^"]+"/g)).toEqual([
      'ref="A1:B4"',
      'ref="A1:B4"',
    ]);
    expect(unzip(path, "xl/drawings/drawing1.xml").match(/(?<=row>)\d+/g)).toEqual(["7", "11"]);
    const chart = unzip(path, "xl/charts/chart1.xml");
    expect(chart).toContain("<c:numRef><c:f>Offer!$B$2:$B$4</c:f></c:numRef>");
  });

  it("shows the sum in another sheet", async () => {
    const text = execFileSync("pdftotext", ["-layout", await fill(items, "pdf"), "-"]).toString();
    expect(text).toMatch(/For Anna +60 +120/);
  });

  it("keeps a row of a table whose list is empty", async () => {
    const path = await fill([]);
    expect(unzip(path, "xl/tables/table1.xml")).toContain('ref="A1:B2"');
    expect(unzip(path, "xl/charts/chart1.xml")).toContain("<c:f>#REF!</c:f>");
    expect(unzip(path, "xl/worksheets/sheet1.xml")).toContain("<f>Offer!B3</f>");
  });
});
