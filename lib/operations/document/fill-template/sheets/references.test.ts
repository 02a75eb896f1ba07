import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  makeOpenXml,
  makeWorkbook,
  relation,
  relations,
} from "#tests/samples/office/office-packages.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation } from "#tests/support/operation.ts";
import { fillTemplate } from "../index.ts";
import { References } from "./references.ts";
import { RowLevel } from "./row-level.ts";

/** Row 5 was repeated three times, so that the rows after it moved by two. */
const repeated = new RowLevel();
/** Rows 5 and 6 were repeated as one. */
const pairs = new RowLevel();
/** Row 5 was removed. */
const shorter = new RowLevel();
for (const row of [1, 2, 3, 4])
  for (const level of [repeated, pairs, shorter]) level.addRow(row, row);
for (const [count, level] of [
  [3, repeated],
  [0, shorter],
] as const) {
  for (let index = 0; index < count; index++) level.addRow(5, 5 + index);
  level.addSection({ from: 5, to: 5, start: 5, end: 5 + count });
}
for (const row of [5, 7, 9]) {
  pairs.addRow(5, row);
  pairs.addRow(6, row + 1);
}
pairs.addSection({ from: 5, to: 6, start: 5, end: 11 });
const references = new References([
  ["Offer", repeated],
  ["Pairs", pairs],
  ["It's", shorter],
]);
const summary = { kind: "cell", sheet: "Summary", row: 1 } as const;

describe("a formula", () => {
  it.each([
    ["Offer!D6*2", "Offer!D8*2"],
    ["SUM(Offer!D5)+offer!$D$5", "SUM(Offer!D5:D7)+offer!$D$5"],
    ["SUM('Offer'!D4:D5)", "SUM('Offer'!D4:D7)"],
    ["SUM(Offer!A2:A1048576)", "SUM(Offer!A2:A1048576)"],
    ["SUM(Offer!5:$6)+MAX(Offer!$D:$D)", "SUM(Offer!5:$8)+MAX(Offer!$D:$D)"],
    [
      "SUM(Pairs!D5)+SUBTOTAL(9,Pairs!D5:D5)",
      "SUM(Pairs!D5,Pairs!D7,Pairs!D9)+SUBTOTAL(9,Pairs!D5:D9)",
    ],
    ["'It''s'!D5+'It''s'!D6+SUM('It''s'!D5:D5)", "0+'It''s'!D5+SUM(0)"],
    [
      "COUNTIFS('It''s'!D5:D5,\"x\", 'It''s'!E5:E5,1)*('It''s'!D5)",
      'COUNTIFS($XFD$1048576,"x", $XFD$1048576,1)*(0)',
    ],
    ["Other!D6+[1]Offer!D6+'[1]Offer'!D6", "Other!D6+[1]Offer!D6+'[1]Offer'!D6"],
    ["SUM(Offer:Other!D6)+SUM('Offer:Other'!D6)", "SUM(Offer:Other!D6)+SUM('Offer:Other'!D6)"],
    ['"Offer!D6"&D6&Offer!Total&Sales[Q2]', '"Offer!D6"&D6&Offer!Total&Sales[Q2]'],
  ])("of another sheet: %s becomes %s", (formula, moved) => {
    expect(references.move(formula, summary)).toBe(moved);
  });

  it("of the same sheet moves with the name of the sheet and without it", () => {
    const place = { kind: "cell", sheet: "Offer", row: 8 } as const;
    expect(references.move("Offer!D6+D6+Sales[Q6]", place)).toBe("Offer!D8+D8+Sales[Q6]");
  });

  it("of a chart or name has all repetitions of a cell", () => {
    const chart = { kind: "chart" } as const;
    expect(references.move("Offer!$D$5", chart)).toBe("Offer!$D$5:$D$7");
    expect(references.move("Pairs!$D$5", chart)).toBe("(Pairs!$D$5,Pairs!$D$7,Pairs!$D$9)");
    // A series is one row or column.
    expect(references.move("Offer!$B$5:$E$5", chart)).toBe("Offer!$B$5:$E$5");
    expect(references.move("'It''s'!$D$5:$D$5", chart)).toBe("'It''s'!#REF!");
    const name = { kind: "name" } as const;
    expect(references.move("Offer!$B$5:$E$5,Offer!$1:$6,Offer!B6", name)).toBe(
      "Offer!$B$5:$E$7,Offer!$1:$8,Offer!B6",
    );
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
    content: `<workbook ${main}><sheets><sheet name="Summary" sheetId="1" r:id="s1"/><sheet name="Offer" sheetId="2" r:id="s2"/></sheets><definedNames><definedName name="Total">Offer!$B$4</definedName><definedName name="_xlnm.Print_Area" localSheetId="1">Offer!$A$2:$B$2</definedName></definedNames></workbook>`,
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
    content: `<worksheet ${main}><sheetData><row r="1">${cell("A1", "Item")}${cell("B1", "Price")}</row><row r="2">${cell("A2", "{#items}{title}")}${cell("B2", "{price}{/items}")}</row><row r="4">${cell("A4", "Total")}<c r="B4"><f>SUM(B2:B2)</f></c></row></sheetData><conditionalFormatting sqref="B2"><cfRule type="expression" priority="1"><formula>B2&gt;$B$4/2</formula></cfRule></conditionalFormatting><dataValidations><dataValidation type="list" sqref="A4 A2:A1048576"><formula1>$A$2:$A$2</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A2" location="B4"/></hyperlinks><rowBreaks><brk id="4" max="16383" man="1"/></rowBreaks><drawing r:id="d1"/><tableParts><tablePart r:id="t1"/></tableParts><extLst><ext><x14:sparklines xmlns:x14="x" xmlns:xm="m"><x14:sparkline><xm:f>Offer!A2:B2</xm:f><xm:sqref>C2</xm:sqref></x14:sparkline></x14:sparklines></ext></extLst></worksheet>`,
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
    expect(unzip(path, "xl/workbook.xml")).toContain(">Offer!$A$2:$B$4<");
    const sheet = unzip(path, "xl/worksheets/sheet2.xml");
    const sparkline = (row: number) =>
      `<x14:sparkline><xm:f>Offer!A${row}:B${row}</xm:f><xm:sqref>C${row}</xm:sqref></x14:sparkline>`;
    for (const expected of [
      "<f>SUM(B2:B4)</f>",
      'sqref="B2:B4"><cfRule type="expression" priority="1"><formula>B2&gt;$B$6/2<',
      'sqref="A6 A2:A1048576"><formula1>$A$2:$A$4<',
      'ref="A2:A4" location="B6"',
      '<brk id="6"',
      sparkline(2),
      sparkline(3),
      sparkline(4),
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

  it("keeps a row of a table whose list is empty, and has no list without an entry", async () => {
    const path = await fill([]);
    expect(unzip(path, "xl/tables/table1.xml")).toContain('ref="A1:B2"');
    expect(unzip(path, "xl/charts/chart1.xml")).toContain("<c:f>Offer!#REF!</c:f>");
    expect(unzip(path, "xl/worksheets/sheet1.xml")).toContain("<f>Offer!B3</f>");
    expect(unzip(path, "xl/workbook.xml")).not.toContain("Print_Area");
    expect(unzip(path, "xl/worksheets/sheet2.xml")).not.toMatch(
      /<conditionalFormatting|<hyperlinks|<x14:|<extLst/,
    );
  });

  it("has sums of groups and of all, and formulas of items that read their group", async () => {
    const rows = [
      cell("A1", "{#groups}"),
      `${cell("A2", "{name}")}<c r="B2"><f>SUM(B3:B5)</f></c>`,
      cell("A3", "{#items}"),
      `${cell("A4", "{.}")}<c r="B4"><f>A4*2</f></c><c r="C4"><f>B4/B2</f></c>`,
      cell("A5", "{/items}"),
      `<c r="B6"><f>SUM(B4:B4)+SUM(B4)+SUM(B$2:B4)</f></c>`,
      cell("A7", "{/groups}"),
      `<c r="B8"><f>SUM(B4)+SUM(B3:B5)+SUM(B2:B2)</f></c>`,
    ];
    const content = rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join("");
    const groups = [
      { name: "a", items: [1, 2] },
      { name: "b", items: [] },
      { name: "c", items: [3] },
    ];
    const path = join(temporaryFolder(), "groups.xlsx");
    writeFileSync(path, makeWorkbook(`<sheetData>${content}</sheetData>`));
    const params = { data: { groups }, format: "same" };
    const { outputs } = await runOperation(fillTemplate, { path, type: "xlsx" }, params);
    const filled = unzip(outputs[0]?.path ?? "", "xl/worksheets/sheet1.xml");
    const formulas = [...filled.matchAll(/r="([BC]\d+)"><f>([^<]+)/g)].map(
      ([, place, formula]) => `${place}=${formula}`,
    );
    expect(formulas).toEqual([
      "B1=SUM(B2:B3)",
      "B2=A2*2",
      "C2=B2/B1",
      "B3=A3*2",
      "C3=B3/B1",
      "B4=SUM(B2:B3)+SUM(B2:B3)+SUM(B$1:B3)",
      "B5=SUM(0)",
      "B6=SUM(0)+SUM(0)+SUM(B$5:B5)",
      "B7=SUM(B8:B8)",
      "B8=A8*2",
      "C8=B8/B7",
      "B9=SUM(B8:B8)+SUM(B8)+SUM(B$7:B8)",
      "B10=SUM(B2,B3,B8)+SUM(B2:B2,B3:B3,B8:B8)+SUM(B1:B1,B5:B5,B7:B7)",
    ]);
  });
});
