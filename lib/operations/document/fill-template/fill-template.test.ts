import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  makeOpenXml,
  makeWorkbook,
  relation,
  relations,
  wordBody,
} from "#tests/samples/office/office-packages.ts";
import { allowed, forbidden } from "#tests/samples/pages.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation } from "#tests/support/operation.ts";
import { fillTemplate } from "./index.ts";

type Type = "docx" | "xlsx" | "pptx";

const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
let picture = "";

beforeAll(async () => {
  const red = { width: 1000, height: 500, channels: 3, background: "#f00" } as const;
  const png = await sharp({ create: red }).png().toBuffer();
  picture = `data:image/png;base64,${png.toString("base64")}`;
});

async function fill(type: Type, file: Buffer, data: unknown, format = "same"): Promise<string> {
  const path = join(temporaryFolder(), `template.${type}`);
  writeFileSync(path, file);
  const { outputs } = await runOperation(fillTemplate, { path, type }, { data, format });
  return outputs[0]?.path ?? "";
}

const unzip = (path: string, part: string) =>
  execFileSync("unzip", ["-p", path, part.replaceAll("[", "\\[")]).toString();
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...texts: string[]) => `<w:p>${texts.map(run).join("")}</w:p>`;
const cell = (...texts: string[]) => `<w:tc><w:tcPr/>${paragraph(...texts)}</w:tc>`;

function word(body: string): Buffer {
  return makeOpenXml("docx", [{ name: "word/document.xml", content: wordBody(body) }]);
}

/** The paragraphs of a document, with `|` for line breaks and `>` for tabs. */
function paragraphs(path: string): string[] {
  const text = unzip(path, "word/document.xml")
    .replaceAll(/<w:br\/>/g, "|")
    .replaceAll(/<w:tab\/>/g, ">");
  return [...text.matchAll(/<w:p(?: [^>]*)?(?:\/>|>(.*?)<\/w:p>)/gs)].map(([, inner = ""]) =>
    inner.replaceAll(/<[^>]+>/g, ""),
  );
}

const wordText = async (body: string, data: unknown) =>
  paragraphs(await fill("docx", word(body), data));

describe("a Word document", () => {
  it("gets values of tags that are split over runs, escaped, with lines and tabs", async () => {
    const body = paragraph(
      "Dear {cust",
      "omer",
      ".name}, {n}{yes} {",
      "lines} {none}{not a tag} {}",
    );
    const data = {
      customer: { name: "<Ünï> & שלום {n}" },
      n: 1.5,
      yes: true,
      lines: "a\nb\tc\u0001",
      none: null,
    };
    expect(await wordText(body, data)).toEqual([
      "Dear &lt;Ünï&gt; &amp; שלום {n}, 1.5true a|b>c {not a tag} {}",
    ]);
  });

  it("repeats runs, paragraphs and rows, and shows conditions", async () => {
    const rows = `<w:tr>${cell("{#items}{title}")}${cell("{price} {currency}{/items}")}</w:tr>`;
    const body = [
      paragraph("{#items}", "{title}{#last}.{/last}{^last}, {/last}{/items}"),
      paragraph("{#items}"),
      paragraph("{title}: {#tags}[{.}]{/tags}"),
      paragraph("{/items}"),
      paragraph("{^none}empty{/none}{#customer}{name}{/customer}"),
      `<w:tbl><w:tblPr/><w:tblGrid/>${rows}</w:tbl>`,
      `<w:tbl><w:tblPr/><w:tblGrid/><w:tr>${cell("{#none}x")}${cell("{/none}")}</w:tr></w:tbl>`,
      paragraph("end"),
    ].join("");
    const items = [
      { title: "Tea", price: 4.5, tags: ["a", "b"], last: false },
      { title: "Cup", price: 9, tags: [], last: true },
    ];
    const data = { items, none: [], currency: "EUR", customer: { name: "Anna" } };
    expect(await wordText(body, data)).toEqual([
      "Tea, Cup.",
      "Tea: [a][b]",
      "Cup: ",
      "emptyAnna",
      "Tea",
      "4.5 EUR",
      "Cup",
      "9 EUR",
      "end",
    ]);
  });

  it("has pictures within the text width, and is printed", async () => {
    const size = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:left="1417" w:right="1417"/></w:sectPr>`;
    const body = paragraph("{name} {%logo}{%small}{%none}") + size;
    const data = {
      name: "Größe 你",
      logo: picture,
      small: { image: picture, width: 20 },
      none: null,
    };
    const path = await fill("docx", word(body), data);
    const sizes = [
      ...unzip(path, "word/document.xml").matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g),
    ];
    expect(sizes.map(([, x, y]) => [Number(x), Number(y)])).toEqual([
      [9072 * 635, 9072 * 317.5],
      [720_000, 360_000],
    ]);
    const pdf = await fill("docx", word(body), data, "pdf");
    expect(execFileSync("pdftotext", [pdf, "-"]).toString()).toContain("Größe 你");
    expect(execFileSync("pdfimages", ["-list", pdf]).toString()).toMatch(/ 1000 +500 /);
  });

  it("fetches pictures by URL, each once, and only those that it shows", async () => {
    const url = `${allowed.url}/pages/red.png`;
    const data = { logo: url, small: { image: url, width: 20 }, other: `${forbidden.url}/a.png` };
    const path = await fill("docx", word(paragraph("{%logo}{%small}{other}")), data);
    expect(unzip(path, "word/document.xml").match(/<wp:extent/g)).toHaveLength(2);
    expect(allowed.requests).toEqual(["/pages/red.png"]);
    expect(forbidden.requests).toEqual([]);
  });

  it("a picture that fails ends the fetch of one that never arrives", async () => {
    const data = { logo: `${allowed.url}/never`, small: `${allowed.url}/none.png` };
    const failed = expect(
      fill("docx", word(paragraph("{%logo}{%small}")), data),
    ).rejects.toMatchObject({
      code: "fetch_failed",
      message: expect.stringContaining("none.png"),
    });
    await vi.waitUntil(() => allowed.requests.length === 2, { timeout: 60_000 });
    const startedAt = Date.now();
    await failed;
    expect(allowed.requests.toSorted()).toEqual(["/never", "/none.png"]);
    // Without an end, the fetch would take its whole time limit.
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  it.each([
    ["on a private address", () => `${forbidden.url}/a.png`, "address_refused", /could not be/],
    ["that does not exist", () => `${allowed.url}/none.png`, "fetch_failed", /status 404/],
    ["of a page", () => `${allowed.url}/pages/style.css`, "corrupt", /\{%logo\}: its value is not/],
  ])("fails for a picture %s", async (_, url, code, message) => {
    const failing = fill("docx", word(paragraph("{%logo}")), { logo: url() });
    await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(forbidden.requests).toEqual([]);
  });
});

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

function makeSheet(content: string, strings: string): Buffer {
  const links = [
    relation("s1", "worksheet", "worksheets/sheet1.xml", false),
    relation("t1", "sharedStrings", "sharedStrings.xml", false),
  ];
  const namespaces = `xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`;
  return makeOpenXml("xlsx", [
    {
      name: "xl/workbook.xml",
      content: `<workbook ${namespaces}><sheets><sheet name="S" sheetId="1" r:id="s1"/></sheets></workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: relations(...links) },
    { name: "xl/sharedStrings.xml", content: strings },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `<worksheet xmlns="${main}">${content}</worksheet>`,
    },
  ]);
}

describe("a workbook", () => {
  const text = (reference: string, value: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;

  it("repeats rows; numbers, formulas, merged cells and pictures follow them", async () => {
    const sheet = `<sheetData>
<row r="1">${text("A1", "Offer {name}")}<c r="D1" t="s"><v>0</v></c></row>
<row r="2">${text("A2", "{#items}")}</row>
<row r="3">${text("A3", "{title}")}${text("B3", "{price}")}${text("C3", "{n}")}<c r="D3"><f>B3*C3</f><v>0</v></c></row>
<row r="4">${text("A4", "{/items}")}</row>
<row r="6"><c r="A6"><f>SUM(D3:D3)</f></c><c r="B6"><f>SUM(D3)+LOG10(100)</f></c>${text("C6", "{yes}")}</row></sheetData><mergeCells count="2"><mergeCell ref="E3:F3"/><mergeCell ref="A8:B9"/></mergeCells>`;
    const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><r><t>{%lo</t></r><r><t>go}</t></r></si></sst>`;
    const items = [1, 2, 3].map((n) => ({ title: `T${n}`, price: n * 10, n }));
    const workbook = makeSheet(sheet, strings);
    const data = { name: "A & B", items, yes: true, logo: picture };
    const path = await fill("xlsx", workbook, data);
    const xml = unzip(path, "xl/worksheets/sheet1.xml");
    expect([...xml.matchAll(/<row r="(\d+)"/g)].map(([, row]) => row)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "6",
    ]);
    expect(xml).toContain(
      '<c r="B3"><v>20</v></c><c r="C3"><v>2</v></c><c r="D3"><f>B3*C3</f></c>',
    );
    expect(unzip(path, "xl/drawings/template-drawing-1.xml")).toContain("<xdr:col>3</xdr:col>");
    expect(xml).toContain("<f>SUM(D2:D4)</f>");
    expect(xml).toContain("<f>SUM(D2:D4)+LOG10(100)</f>");
    expect(xml).toContain('<c r="C6" t="b"><v>1</v></c>');
    expect([...xml.matchAll(/mergeCell ref="([^"]+)"/g)].map(([, ref]) => ref)).toEqual([
      "E2:F2",
      "E3:F3",
      "E4:F4",
      "A8:B9",
    ]);
    const pdf = await fill("xlsx", workbook, data, "pdf");
    const printed = execFileSync("pdftotext", ["-layout", pdf, "-"]).toString();
    expect(printed).toMatch(/Offer A & B[\s\S]*T3 +30 +3 +90\s+140 +142 +TRUE/);
  });

  it("has pictures in cells, and rows of empty lists are removed", async () => {
    const rows = `<row r="1">${text("A1", "{%logo}")}</row><row r="2">${text("A2", "{#none}x")}${text("B2", "{/none}")}</row><row r="3"><c r="A3"><f>SUM(B2:B2)+A5</f></c></row>`;
    const path = await fill("xlsx", makeWorkbook(`<sheetData>${rows}</sheetData>`), {
      logo: picture,
      none: [],
    });
    expect(unzip(path, "xl/worksheets/sheet1.xml")).toContain('<c r="A2"><f>SUM(0)+A4</f></c>');
    expect(unzip(path, "xl/drawings/template-drawing-1.xml")).toContain("<xdr:col>0</xdr:col>");
    expect(unzip(path, "xl/workbook.xml")).toContain('fullCalcOnLoad="1"');
  });
});

it("a presentation repeats paragraphs and rows, and a text box becomes a picture", async () => {
  const shape = (text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="100" y="100"/><a:ext cx="400000" cy="400000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`;
  const line = (text: string) => `<a:p><a:r><a:rPr lang="en"/><a:t>${text}</a:t></a:r></a:p>`;
  const slide = `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="${drawing}"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shape(line("{#items}") + line("{title}") + line("{/items}") + line("{lines}"))}${shape(line("{%logo}"))}</p:spTree></p:cSld></p:sld>`;
  const presentation = `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`;
  const file = makeOpenXml("pptx", [
    { name: "ppt/presentation.xml", content: presentation },
    {
      name: "ppt/_rels/presentation.xml.rels",
      content: relations(relation("s1", "slide", "slides/slide1.xml", false)),
    },
    { name: "ppt/slides/slide1.xml", content: slide },
  ]);
  const data = { items: [{ title: "One" }, { title: "Two" }], lines: "a\nb", logo: picture };
  const xml = unzip(await fill("pptx", file, data), "ppt/slides/slide1.xml");
  expect([...xml.matchAll(/<a:t>(.*?)<\/a:t>|<a:br>/g)].map(([all, text]) => text ?? all)).toEqual([
    "One",
    "Two",
    "a",
    "<a:br>",
    "b",
  ]);
  expect(xml).toContain('<a:ext cx="400000" cy="200000"/>');
});

describe("a template that fails", () => {
  it.each([
    [
      "a missing value",
      "{customer.name}",
      /the document, paragraph 1, \{customer\.name\}: there is no value/,
    ],
    ["an open section", "{#list}", /\{#list\}: it is not closed/],
    ["a close alone", "{/list}", /the closing tag of list: there is no \{#list\} before it/],
    [
      "crossed sections",
      "{#list}{#a}{/list}{/a}",
      /the closing tag of list: \{#a\} must be closed first/,
    ],
    ["an open tag", "{a", /it has no }/],
    ["a list as text", "{list}", /its value is a list/],
    ["a text as picture", "{%a}", /data URI/],
    ["a constructor", "{constructor}", /there is no value/],
    ["a prototype", "{list.__proto__}{__proto__}", /there is no value/],
    ["a property of texts", "{a.length}", /there is no value/],
  ])("%s has a place and a tag", async (_, template, message) => {
    const failing = fill("docx", word(paragraph(template)), { a: "x", list: [1] });
    await expect(failing).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringMatching(message),
    });
  });

  it("nested repetitions and long texts are too complex", async () => {
    const list = Array.from({ length: 300 }, () => 1);
    const nested = `${"{#list}".repeat(3)}x${"{/list}".repeat(3)}`;
    const tooComplex = { code: "too_complex" };
    await expect(fill("docx", word(paragraph(nested)), { list })).rejects.toMatchObject(tooComplex);
    const long = fill("docx", word(paragraph("{#list}{text}{/list}")), {
      list,
      text: "x".repeat(200_000),
    });
    await expect(long).rejects.toMatchObject(tooComplex);
    const deep = `${"{#a}".repeat(1000)}${"{/a}".repeat(1000)}`;
    await expect(fill("docx", word(paragraph(deep)), { a: true })).rejects.toMatchObject(
      tooComplex,
    );
  });
});
