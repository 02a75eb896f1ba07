import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createDocument } from "@mixmark-io/domino";
import { DOMParser } from "@xmldom/xmldom";
import { beforeAll, describe, expect, it } from "vitest";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { mathmlToTex } from "#lib/formats/equations/mathml.ts";
import { ommlToTex } from "#lib/formats/equations/omml.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { convert as convertDocument } from "#lib/operations/document/convert/index.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { toMarkdown } from "#lib/operations/document/to-markdown/index.ts";
import {
  makeOpenXml,
  makeWorkbook,
  relation,
  relations,
  wordBody,
} from "#tests/samples/office/office-packages.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

beforeAll(() => mkdirSync(processPath("."), { recursive: true }));

const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const r = (text: string, properties = "") =>
  `<m:r>${properties === "" ? "" : `<m:rPr>${properties}</m:rPr>`}<m:t xml:space="preserve">${text}</m:t></m:r>`;
const e = (content: string, name = "e") => `<m:${name}>${content}</m:${name}>`;
const sup = (base: string, exponent: string) =>
  `<m:sSup>${e(r(base))}${e(r(exponent), "sup")}</m:sSup>`;
const fraction = (above: string, below: string, type = "") =>
  `<m:f>${type === "" ? "" : `<m:fPr><m:type m:val="${type}"/></m:fPr>`}${e(above, "num")}${e(below, "den")}</m:f>`;
const between = (open: string, close: string, content: string) =>
  `<m:d><m:dPr><m:begChr m:val="${open}"/><m:endChr m:val="${close}"/></m:dPr>${e(content)}</m:d>`;
const matrix = (rows: string[][]) =>
  `<m:m>${rows.map((row) => e(row.map((cell) => e(r(cell))).join(""), "mr")).join("")}</m:m>`;

/** What Word stores for each equation, and what a person writes for it in TeX. */
const equations = {
  "E=mc^{2}+\\frac{1}{2}": r("E=m") + sup("c", "2") + r("+") + fraction(r("1"), r("2")),
  "x=\\frac{-b\\pm \\sqrt{b^{2}-4ac}}{2a}":
    r("x=") +
    fraction(
      `${r("-b±")}<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(sup("b", "2") + r("-4ac"))}</m:rad>`,
      r("2a"),
    ),
  "\\sqrt[3]{x}": `<m:rad>${e(r("3"), "deg")}${e(r("x"))}</m:rad>`,
  "\\sum_{i=1}^{n} i^{2}": `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${e(r("i=1"), "sub")}${e(r("n"), "sup")}${e(sup("i", "2"))}</m:nary>`,
  "\\int f(x)dx": `<m:nary><m:naryPr><m:subHide m:val="1"/><m:supHide m:val="1"/></m:naryPr><m:sub/><m:sup/>${e(`${r("f")}${between("(", ")", r("x"))}${r("dx")}`)}</m:nary>`,
  "\\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}": between(
    "(",
    ")",
    matrix([
      ["1", "0"],
      ["0", "1"],
    ]),
  ),
  "\\begin{cases} x & y \\\\ z & w \\end{cases}": between(
    "{",
    "",
    matrix([
      ["x", "y"],
      ["z", "w"],
    ]),
  ),
  "\\binom{n}{k}": between("(", ")", fraction(r("n"), r("k"), "noBar")),
  "(a+b)/2": fraction(r("a+b"), r("2"), "lin"),
  "\\left( \\frac{a}{b} \\right)": between("(", ")", fraction(r("a"), r("b"))),
  "\\sin \\alpha": `<m:func>${e(r("sin", '<m:sty m:val="p"/>'), "fName")}${e(r("α"))}</m:func>`,
  "\\lim_{x\\to 0} f": `<m:func>${e(`<m:limLow>${e(r("lim", '<m:sty m:val="p"/>'))}${e(r("x→0"), "lim")}</m:limLow>`, "fName")}${e(r("f"))}</m:func>`,
  "x_{i}^{2}": `<m:sSubSup>${e(r("x"))}${e(r("i"), "sub")}${e(r("2"), "sup")}</m:sSubSup>`,
  "{}_{a}^{b}X": `<m:sPre>${e(r("a"), "sub")}${e(r("b"), "sup")}${e(r("X"))}</m:sPre>`,
  "\\hat{x}+\\vec{v}": `<m:acc>${e(r("x"))}</m:acc>${r("+")}<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(r("v"))}</m:acc>`,
  "\\overline{AB}": `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(r("AB"))}</m:bar>`,
  "\\boxed{x}": `<m:borderBox>${e(r("x"))}</m:borderBox>`,
  "x\\gt 0\\text{ if 5\\% of \\$y\\_1\\$}": `${r("x&gt;0")}${r(" if 5% of $y_1$", "<m:nor/>")}`,
  "\\mathbb{R}\\mathbf{v}\\in A": r("ℝ") + r("v", '<m:sty m:val="b"/>') + r("∈A"),
  "10^{-3}+\\frac{1}{2}+H_{2}O+90^{\\circ}": r("10⁻³+½+H₂O+90°"),
  "\\begin{aligned} a &=b \\\\ c &=d \\end{aligned}": `<m:eqArr>${e(r("a &amp;=b"))}${e(r("c &amp;=d"))}</m:eqArr>`,
  "\\vert x\\vert": between("|", "|", r("x")),
};

it.each(Object.entries(equations))("Word: %s", (tex, omml) => {
  const xml = `<m:oMath ${math}>${omml}</m:oMath>`;
  const root = new DOMParser().parseFromString(xml, "text/xml").documentElement;
  expect(root && normalize(ommlToTex(root))).toBe(normalize(tex));
});

const mathml = {
  "E=mc^{2}+\\frac{1}{2}":
    "<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>",
  "\\sin x\\otimes \\mp \\Lambda":
    "<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mo>⊗</mo><mo>∓</mo><mi>Λ</mi>",
  "\\text{if a\\_b}": "<mtext>if a_b</mtext>",
  "\\sum_{i=0}^{n} \\sqrt{x}":
    "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><msqrt><mi>x</mi></msqrt>",
  "\\begin{bmatrix} 1 & 2 \\end{bmatrix}":
    "<mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable><mo>]</mo></mrow>",
  "{}_{c}^{d}X_{a}^{b}":
    "<mmultiscripts><mi>X</mi><mi>a</mi><mi>b</mi><mprescripts/><mi>c</mi><mi>d</mi></mmultiscripts>",
  "\\bar{x}\\lt \\overrightarrow{AB}":
    "<mover><mi>x</mi><mo>¯</mo></mover><mo>&lt;</mo><mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>",
  "a\\,b":
    '<semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a\\,b}</annotation></semantics>',
};

it.each(Object.entries(mathml))("MathML: %s", (tex, content) => {
  const found = createDocument(`<math>${content}</math>`).querySelector("math");
  expect(found && normalize(mathmlToTex(found))).toBe(normalize(tex));
});

it("unknown accents, scripts and variants are left out", () => {
  const omml = r("x", '<m:scr m:val="constructor"/>');
  const root = new DOMParser().parseFromString(`<m:oMath ${math}>${omml}</m:oMath>`, "text/xml");
  expect(root.documentElement && normalize(ommlToTex(root.documentElement))).toBe("x");
  const content =
    '<mi mathvariant="constructor">x</mi><mover><mi>y</mi><mo>constructor</mo></mover>';
  const found = createDocument(`<math>${content}</math>`).querySelector("math");
  expect(found && mathmlToTex(found)).toContain("x\\overset{\\operatorname{constructor}}");
});

describe("documents", () => {
  it("of Word have equations, exponents and subscripts", async () => {
    const run = (text: string, properties = "") =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const omml = equations["E=mc^{2}+\\frac{1}{2}"];
    const body = [
      `<w:p><w:r><w:t xml:space="preserve">For $5, </w:t></w:r><m:oMath ${math}>${omml}</m:oMath>${run(" holds.")}</w:p>`,
      `<w:p><m:oMathPara ${math}><m:oMath>${omml}</m:oMath></m:oMathPara></w:p>`,
      `<w:p>${run("10 m")}${run("2", '<w:vertAlign w:val="superscript"/>')}${run(" of H")}${run("2", '<w:vertAlign w:val="subscript"/>')}${run("O, x")}${run("i", '<w:position w:val="-6"/>')}</w:p>`,
    ].join("");
    expect(
      await convert(
        "docx",
        makeOpenXml("docx", [{ name: "word/document.xml", content: wordBody(body) }]),
      ),
    ).toEqual({
      text: "For \\$5, $E=mc^{2}+\\frac{1}{2}$ holds.\n\n$$E=mc^{2}+\\frac{1}{2}$$\n\n10 m<sup>2</sup> of H<sub>2</sub>O, x<sub>i</sub>\n",
      warnings: [],
    });
  });

  it("that LibreOffice writes as DOCX have equations", async () => {
    const { outputs } = await runOperation(
      convertDocument,
      writeSample("fodt", Buffer.from(makeFlatText())),
      { format: "docx" },
    );
    const { text, warnings } = await convert("docx", readFileSync(outputs[0]?.path ?? ""));
    expect(text).toBe("Before $E=mc^{2}+\\frac{1}{2}$ after, m<sup>2</sup>.\n");
    expect(warnings).toEqual([]);
  });

  it("that LibreOffice writes as PDF have exponents", async () => {
    const filler = `<text:p>${"A line of plain text. ".repeat(20)}</text:p>`;
    const page = makeFlatText().replace(/<text:p>.*<\/text:p>/, `${filler}$&${filler}`);
    const sample = writeSample("fodt", Buffer.from(page));
    const { outputs } = await runOperation(docToPdf, sample);
    const { text } = await convert("pdf", readFileSync(outputs[0]?.path ?? ""));
    expect(text).toContain(" after, m<sup>2</sup>.\n");
  });

  it("with slides have equations and exponents", async () => {
    const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
    const shape = `<p:sp><p:txBody><a:p ${drawing}><a:r><a:t>m</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r><a:r><a:t> and </a:t></a:r><a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><m:oMath ${math}>${sup("c", "2")}</m:oMath></a14:m></a:p></p:txBody></p:sp>`;
    const slides = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
    const ids = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
    const slide = (attributes: string) =>
      `<p:sld ${slides} ${attributes}><p:cSld><p:spTree><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice>${shape}</mc:Choice><mc:Fallback/></mc:AlternateContent></p:spTree></p:cSld></p:sld>`;
    const file = makeOpenXml("pptx", [
      {
        name: "ppt/presentation.xml",
        content: `<p:presentation ${slides} ${ids}><p:sldIdLst><p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/></p:sldIdLst></p:presentation>`,
      },
      {
        name: "ppt/_rels/presentation.xml.rels",
        content: relations(
          relation("rId1", "slide", "slides/slide1.xml", false),
          relation("rId2", "slide", "slides/slide2.xml", false),
        ),
      },
      { name: "ppt/slides/slide1.xml", content: slide("") },
      { name: "ppt/slides/slide2.xml", content: slide('show="0"') },
    ]);
    expect(await convert("pptx", file)).toEqual({
      text: "<!-- page 1 -->\n\nm<sup>2</sup> and $c^{2}$\n\n<!-- page 2 -->\n",
      warnings: ["Left out: 1 hidden slide."],
    });
  });

  it("with HTML keep MathML and exponents", async () => {
    const content = `<p>Area: <math>${mathml["E=mc^{2}+\\frac{1}{2}"]}</math> in m<sup>2</sup>, H<sub>2</sub>O</p>`;
    const expected = "Area: $E=mc^{2}+\\frac{1}{2}$ in m<sup>2</sup>, H<sub>2</sub>O\n";
    expect(await convert("html", Buffer.from(`<body>${content}`))).toEqual({
      text: expected,
      warnings: [],
    });
    const table = `<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td><math><mo>|</mo><mi>x</mi><mo>|</mo></math></td></tr></table>`;
    const inTable = await convert("html", Buffer.from(`<body>${table}`));
    expect(inTable.text).toBe("| a | b |\n| --- | --- |\n| 1 | $\\vert x\\vert$ |\n");
    const hidden = `<p>So <span style="display:none"><math alttext="x"><mi>x</mi></math></span><img alt="x" aria-hidden="true" src="x.png"> it is</p>`;
    expect((await convert("html", Buffer.from(hidden))).text).toBe("So $x$ it is\n");
  });

  it("of Excel keep exponents, and say what is left out", async () => {
    const cells = `<row r="1"><c r="A1" t="inlineStr"><is><r><t>m</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r></is></c></row><row r="2" hidden="1"><c r="A2"><v>4</v></c></row>`;
    expect(await convert("xlsx", makeWorkbook(`<sheetData>${cells}</sheetData>`))).toEqual({
      text: expect.stringContaining("m<sup>2</sup>"),
      warnings: ["Left out: 1 hidden row."],
    });
  });

  it("with charts, equation objects and comments say so", async () => {
    const body = `<w:p><w:r><w:t>Sales</w:t></w:r><w:r><w:drawing><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/></a:graphicData></a:graphic></w:drawing></w:r><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.3"/></w:object></w:r></w:p>`;
    const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment/><w:comment/></w:comments>`;
    const file = makeOpenXml("docx", [
      { name: "word/document.xml", content: wordBody(body) },
      { name: "word/comments.xml", content: comments },
    ]);
    expect(await convert("docx", file)).toEqual({
      text: "Sales\n",
      warnings: ["Left out: 1 chart, 1 equation that is stored as a picture, 2 comments."],
    });
  });
});

/** Optional spaces of TeX are not compared. */
function normalize(tex: string): string {
  return tex.replace(/ ?([-+=(){}\\&^_,]) ?/g, "$1").trim();
}

/** A text with a formula and an exponent, as LibreOffice stores it. */
function makeFlatText(): string {
  const names = { office: "office", text: "text", draw: "drawing", style: "style" };
  const spaces = Object.entries(names).map(
    ([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  const formula = `<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>${mathml["E=mc^{2}+\\frac{1}{2}"]}</mrow></math>`;
  return `<?xml version="1.0"?><office:document ${spaces.join(" ")} xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles><style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style></office:automatic-styles><office:body><office:text><text:p>Before <draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="1cm"><draw:object>${formula}</draw:object></draw:frame> after, m<text:span text:style-name="S">2</text:span>.</text:p></office:text></office:body></office:document>`;
}

let samples = 0;

function writeSample(type: MediaTypeId, content: Buffer): Sample {
  const path = processPath(`equations-${++samples}.${mediaType(type).extension}`);
  writeFileSync(path, content);
  return { path, type };
}

async function convert(type: MediaTypeId, content: Buffer) {
  const { outputs, warnings } = await runOperation(toMarkdown, writeSample(type, content));
  return { text: readFileSync(outputs[0]?.path ?? "", "utf8"), warnings };
}
