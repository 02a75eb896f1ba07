import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { convert } from "#lib/operations/document/convert/index.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { flatSlides, temporaryFolder } from "#tests/samples/documents.ts";
import { makeEpub } from "#tests/samples/office/epub.ts";
import { makeWorkbook } from "#tests/samples/office/office-packages.ts";
import { makeSheets, sheetRows } from "#tests/samples/office/open-xml.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { type OperationRun, runOperation } from "#tests/support/operation.ts";

let folder: string;
let remove: () => Promise<void>;
let count = 0;

beforeAll(async () => {
  [folder, remove] = await temporaryFolder();
});

afterAll(() => remove());

interface Converted extends OperationRun {
  readonly path: string;
}

async function run(
  type: MediaTypeId,
  content: string | Buffer,
  format: string,
): Promise<Converted> {
  const path = join(folder, `case-${count++}.${type}`);
  await writeFile(path, content);
  const done = await runOperation(convert, { path, type }, { format });
  return { ...done, path: done.outputs[0]?.path ?? "" };
}

/** A part of a package, read by Python. */
function readPart(path: string, name: string): string {
  const script =
    "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))";
  return execProgram("python3", ["-c", script, path, name]).toString();
}

/** The names of the parts of a package, each with its compression method, read by Python. */
function listParts(path: string): string[] {
  const script =
    "import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.filename, i.compress_type)";
  return execProgram("python3", ["-c", script, path]).toString().trim().split("\n");
}

/** The text of a document as LibreOffice prints it. */
async function printed(path: string, type: MediaTypeId): Promise<string> {
  const { outputs } = await runOperation(docToPdf, { path, type });
  return readPdf(outputs[0]?.path ?? "").text;
}

/** A square of one color. */
const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP8z8BAEmAiTfmohlENxGoAAHYBAx+5rV4hAAAAAElFTkSuQmCC";

const page = `<!DOCTYPE html><html lang="en"><head><title>Guide</title><style>p { color: red }</style></head><body>
<h1>Ridge guide</h1><p>Some <b>bold</b> and <a href="https://example.com/?a=1&amp;b=2">linked</a> text: 漢字, 😀.</p>
<p dir="rtl">مرحبا بالعالم</p>
<h2>What to bring</h2><ul><li>Water</li><li>Maps<ol start="3"><li>paper</li></ol></li></ul>
<table><thead><tr><th>Item</th><th>Weight</th></tr></thead><tr><td rowspan="2">Tent</td><td>1.9 kg</td></tr><tr><td>in two bags</td></tr></table>
<p><img src="${png}" alt="Red square"></p><img src="https://example.com/remote.png" alt="Remote">
<pre>a &lt; b
  c</pre><blockquote>Close the gate.</blockquote><script>document.write("no")</script></body></html>`;

const markdown = `# Ridge guide\n\nSome **bold** and [linked](https://example.com/?a=1&b=2) text: 漢字, 😀.\n\n## What to bring\n\n- Water\n- Maps\n  3. paper\n\n| Item | Weight |\n|---|---|\n| Tent | 1.9 kg |\n\n![Red square](${png})\n`;

const words = ["Ridge guide", "bold", "linked", "漢字", "What to bring", "Water", "paper", "Tent"];

describe("HTML, Markdown and e-books become office documents", () => {
  it.each([
    ["html", page],
    ["md", markdown],
    ["epub", makeEpub([{ name: "a.xhtml", content: page }])],
  ] as const)("%s to docx", async (type, content) => {
    const { path } = await run(type, content, "docx");
    const body = readPart(path, "word/document.xml");
    expect(body).toMatch(/<w:pStyle w:val="Heading1"\/>.{0,400}Ridge guide/);
    expect(body).toMatch(/<w:pStyle w:val="Heading2"\/>.{0,400}What to bring/);
    expect(body).toMatch(/<w:b\/>.{0,200}<w:t>bold<\/w:t>/);
    expect(body).toMatch(/<w:numPr>/);
    expect(body).toMatch(/<w:tbl>.*Tent.*<\/w:tbl>/);
    expect(body).not.toContain("no</w:t>");
    expect(readPart(path, "word/_rels/document.xml.rels")).toContain(
      "https://example.com/?a=1&amp;b=2",
    );
    expect(listParts(path).filter((name) => name.startsWith("word/media/"))).toHaveLength(1);
    const text = await printed(path, "docx");
    for (const word of words) expect(text).toContain(word);
  });

  it("text from right to left, spans, code and quotations are kept; linked pictures are not fetched", async () => {
    const { path, warnings } = await run("html", page, "odt");
    const body = readPart(path, "content.xml");
    expect(body).toMatch(/_RTL[^>]*>مرحبا بالعالم|style-name="P\d+">مرحبا بالعالم/);
    expect(body).toContain('table:number-rows-spanned="2"');
    expect(body).toContain("a &lt; b");
    expect(body).toMatch(/Quotations[^>]*>Close the gate/);
    expect(body).not.toContain("remote.png");
    expect(warnings).toEqual(["1 picture was left out: only pictures in the file are converted."]);
  });

  it.each(["rtf", "txt"] as const)("md to %s", async (format) => {
    const { path } = await run("md", markdown, format);
    const text = format === "txt" ? readFileSync(path, "utf8") : await printed(path, "rtf");
    for (const word of words) expect(text).toContain(word);
    expect(text).toContain("😀");
  });
});

describe("what a page shows", () => {
  it("is kept: equations as TeX, terms in bold, lines of code; page numbers of a printed edition are not", async () => {
    const { path } = await run(
      "html",
      `<html><body><p>Energy <math><mi>E</mi><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></math> is kept.
        <math display="block"><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p>
        <span role="doc-pagebreak" aria-label="12"></span>
        <dl><dt>Tent</dt><dd>For two</dd></dl><pre>a<br>b</pre>
        <p style="display:none">hidden</p><nav>Menu</nav></body></html>`,
      "html",
    );
    const html = readFileSync(path, "utf8").replace(/^[\s\S]*<body>\s*/, "");
    expect(html).toContain("<p>Energy $E=c^{2}$ is kept.</p>");
    expect(html).toContain("<p>$$\\frac{1}{2}$$</p>");
    expect(html).toContain("<strong>Tent</strong>");
    expect(html).toContain("a\nb");
    expect(html).not.toMatch(/12|hidden|Menu/);
  });

  it.each([
    ["iso-2022-jp", Buffer.from("1b2442467c4b5c1b2842", "hex"), "日本"],
    ["iso-8859-1", Buffer.from("é", "utf8"), "é"],
    ["windows-1251", Buffer.from([0xcc, 0xe8, 0xf0]), "Мир"],
  ])(
    "is read in the encoding %s that the page declares, unless it is UTF-8",
    async (encoding, text, expected) => {
      const page = [Buffer.from(`<meta charset="${encoding}"><p>`), text, Buffer.from("</p>")];
      const { path } = await run("html", Buffer.concat(page), "html");
      expect(readFileSync(path, "utf8")).toContain(`<p>${expected}</p>`);
    },
  );

  it("is nothing in a page of frames", async () => {
    const { path } = await run(
      "html",
      `<html><head><title>Frames</title></head><frameset cols="*,*"><frame src="a.html"></frameset></html>`,
      "html",
    );
    expect(readFileSync(path, "utf8")).toMatch(/<title>Frames<\/title>[\s\S]*<body>\s*<\/body>/);
  });
});

describe("e-books", () => {
  it("keep a cover that is a drawing of one picture, and text after an empty element", async () => {
    const cover = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Cover</title><image width="16" height="16" xlink:href="images/cover.png"/></svg>`;
    const book = makeEpub(
      [
        { name: "a.xhtml", content: `<html><body>${cover}</body></html>` },
        { name: "b.xhtml", content: `<html><body><p><b/>plain</p></body></html>` },
      ],
      [{ name: "OEBPS/images/cover.png", content: Buffer.from(png.slice(22), "base64") }],
    );
    const { path, warnings } = await run("epub", book, "html");
    const html = readFileSync(path, "utf8");
    expect(html).toMatch(/<img src="data:image\/png;base64,[^"]+" alt="Cover"/);
    expect(html).toContain("<p>plain</p>");
    expect(warnings).toEqual([]);
  });

  it("keep the text of CDATA sections, and the styles in them", async () => {
    const style = "<style>/*<![CDATA[*/ p > b { color: #ff0000 } /*]]>*/</style>";
    const text = "<p>if <![CDATA[a < b && <i>c]]> then</p><p><![CDATA[no end</p>";
    const content = `<html><head>${style}</head><body>${text}</body></html>`;
    const { path } = await run("epub", makeEpub([{ name: "a.xhtml", content }]), "html");
    const html = readFileSync(path, "utf8");
    expect(html).toContain("<p>if a &lt; b &amp;&amp; &lt;i&gt;c then</p>");
    expect(html).not.toContain("p &gt; b");
  });

  it("have the structure that EPUB requires", async () => {
    const { path } = await run("html", page, "epub");
    expect(listParts(path)[0]).toBe("mimetype 0");
    expect(readFileSync(path).toString("latin1", 30, 58)).toBe("mimetypeapplication/epub+zip");
    expect(readPart(path, "META-INF/container.xml")).toContain('full-path="OEBPS/content.opf"');
    const opf = readPart(path, "OEBPS/content.opf");
    const parts = listParts(path).map((part) => part.replace(/ \d+$/, ""));
    const files = [...opf.matchAll(/<item [^>]*href="([^"]+)"/g)].map(
      ([, name]) => `OEBPS/${name}`,
    );
    expect(files.toSorted()).toEqual(
      parts.filter((part) => /^OEBPS\/(?!content)/.test(part)).toSorted(),
    );
    expect(opf).toContain("<dc:title>Guide</dc:title>");
    expect(opf).toContain("<dc:language>en</dc:language>");
    expect(readPart(path, "OEBPS/nav.xhtml")).toMatch(
      /epub:type="toc".*chapter-1\.xhtml">Ridge guide/,
    );
    for (const name of parts.filter((part) => /\.(xhtml|opf|ncx|xml)$/.test(part))) {
      const script =
        "import sys, xml.dom.minidom; xml.dom.minidom.parseString(sys.stdin.buffer.read())";
      execFileSync("python3", ["-c", script], { input: readPart(path, name) });
    }
    const chapter = readPart(path, "OEBPS/chapter-1.xhtml");
    expect(chapter).toContain('<img src="images/1.png" alt="Red square" width="16"/>');
    expect(chapter).toContain('<p dir="rtl">مرحبا بالعالم</p>');
  });

  it("of a text document have its headings, tables and pictures", async () => {
    const docx = await run("html", page, "docx");
    const { path } = await run("docx", readFileSync(docx.path), "epub");
    const chapter = readPart(path, "OEBPS/chapter-1.xhtml");
    expect(chapter).toContain("<h1>Ridge guide</h1>");
    expect(chapter).toMatch(/<table>[\s\S]*Tent[\s\S]*<\/table>/);
    expect(chapter).toMatch(/<img src="images\/1\.\w+"/);
  });
});

describe("HTML", () => {
  it("of a text document has only its content", async () => {
    const docx = await run("md", markdown, "docx");
    const { path } = await run("docx", readFileSync(docx.path), "html");
    const html = readFileSync(path, "utf8");
    expect(html).toContain("<h1>Ridge guide</h1>");
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2">linked</a>');
    expect(html).toMatch(/<img src="data:image\/png;base64,/);
    expect(html).not.toMatch(/<font|<script|LibreOffice/);
  });
});

describe("spreadsheets and presentations", () => {
  const sheet = (text: string) => ({ rows: sheetRows(2, text) });

  it("every visible sheet becomes a CSV file", async () => {
    const hidden = { ...sheet("secret"), attributes: 'state="hidden"' };
    const { outputs } = await run(
      "xlsx",
      makeSheets([sheet("a,b "), hidden, { ...sheet("é"), name: "Übersicht 日本" }]),
      "csv",
    );
    expect(outputs.map(({ suffix }) => suffix)).toEqual(["-s1", "-übersicht-日本"]);
    const texts = outputs.map(({ path }) => readFileSync(path, "utf8"));
    expect(texts).toEqual(['"a,b 1","a,b 2"\n', "é1,é2\n"]);
  });

  it("formulas and macros: formulas stay, macros do not", async () => {
    const rows = `<sheetData><row r="1"><c r="A1"><v>20</v></c><c r="B1"><f>A1*2</f><v>40</v></c></row></sheetData>`;
    const macro = { name: "xl/vbaProject.bin", content: Buffer.alloc(2000, 1) };
    const { path } = await run("xlsx", makeWorkbook(rows, [macro]), "ods");
    expect(readPart(path, "content.xml")).toContain('table:formula="of:=[.A1]*2"');
    expect(listParts(path).join()).not.toMatch(/vba|Basic/i);
    const csv = await run("xlsx", makeWorkbook(rows), "csv");
    expect(readFileSync(csv.path, "utf8")).toBe("20,40\n");
  });

  it("keeps the cells of the last columns of a wide table", async () => {
    const row = [...Array.from({ length: 16_381 }, () => "x"), "007", "1.50", "=1+1"].join(",");
    const { path } = await run("csv", `${row}\n`, "csv");
    expect(readFileSync(path, "utf8")).toMatch(/,x,007,1\.50,=1\+1\n$/);
    await expect(run("csv", `${row},x\n`, "csv")).rejects.toMatchObject({ code: "too_complex" });
  });

  it("a presentation keeps its slides", async () => {
    const { path } = await run("fodp", flatSlides(["First 漢字", "Second"]), "pptx");
    expect(listParts(path).filter((part) => /slides\/slide\d/.test(part))).toHaveLength(2);
    expect(await printed(path, "pptx")).toBe("First 漢字 Second");
  });
});

describe("impossible pairs are rejected with what is possible", () => {
  it.each([
    ["xlsx", "pptx", "a spreadsheet (XLSX): `format` must be ods, csv or html."],
    ["md", "csv", "a text (Markdown): `format` must be docx, odt, rtf, txt, html or epub."],
    ["odp", "docx", "a presentation (ODP): `format` must be pptx."],
  ] as const)("%s to %s", async (type, format, message) => {
    await expect(run(type, "x", format)).rejects.toMatchObject({
      code: "unsupported_type",
      message: `The file is ${message}`,
    });
  });
});
