import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { type MediaTypeId, mediaType, mediaTypeOfExtension } from "#lib/media/types.ts";
import { toMarkdown } from "#lib/operations/document/to-markdown/index.ts";
import { makeMsg } from "#tests/samples/office/msg.ts";
import { makeOpenXml, makeWorkbook, wordBody } from "#tests/samples/office/office-packages.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import { type DrawnPage, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

beforeAll(() => mkdirSync(processPath("."), { recursive: true }));

const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const project = join(import.meta.dirname, "../../../..");
const corpus = join(project, "tests/corpus/markdown");
const inputs = join(project, "public/samples/inputs");
let samples = 0;

function convert(name: string, params: Record<string, unknown> = {}) {
  const { id } = mediaTypeOfExtension(name.split(".").at(-1) ?? "");
  return runOperation(toMarkdown, { path: join(corpus, name), type: id, filename: name }, params);
}

const documents = readdirSync(corpus).filter((name) => !name.endsWith(".md"));

/** What the documents of the corpus have that is left out on purpose. */
const omitted: Readonly<Record<string, readonly string[]>> = {
  "harvest.xlsx": ["Left out: 1 hidden sheet."],
};

describe("a person's Markdown of each document of the corpus", () => {
  it.each(documents)("%s", async (name) => {
    const { outputs, warnings } = await convert(name);
    expect([outputs.length, outputs[0]?.extension, warnings]).toEqual([
      1,
      "md",
      omitted[name] ?? [],
    ]);
    const text = readFileSync(outputs[0]?.path ?? "", "utf8");
    await expect(text).toMatchFileSnapshot(join(corpus, `${name}.md`));
  });
});

describe("files of other programs", () => {
  it("formulas without a stored result are calculated", async () => {
    const cells = [
      `<row r="1"><c r="A1" t="inlineStr"><is><t>Price</t></is></c><c r="B1" t="inlineStr"><is><t>Twice</t></is></c></row>`,
      `<row r="2"><c r="A2"><v>21</v></c><c r="B2"><f>A2*2</f><v></v></c></row>`,
      `<row r="3"><c r="A3"><v>4</v></c><c r="B3"><f>A3/0</f></c></row>`,
    ];
    const workbook = makeWorkbook(`<sheetData>${cells.join("")}</sheetData>`);
    const { outputs, warnings } = await runOperation(toMarkdown, writeSample("xlsx", workbook));
    const text = readFileSync(outputs[0]?.path ?? "", "utf8");
    expect(text).toMatch(/\|\s*21\s*\|\s*42\s*\|/);
    expect(text).toContain("#DIV/0!");
    expect(warnings).toEqual([]);
  });

  it("Word's list styles of further levels are nested", async () => {
    const style = (id: string, name: string, list: number) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr><w:numPr><w:numId w:val="${list}"/></w:numPr></w:pPr></w:style>`;
    const numbering = [1, 2]
      .map(
        (id) =>
          `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>`,
      )
      .concat(
        [1, 2].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`),
      );
    const item = (name: string, text: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${name}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const body = item("A", "Fruit") + item("B", "Apple") + item("B", "Pear") + item("A", "Nuts");
    const file = makeOpenXml("docx", [
      { name: "word/document.xml", content: wordBody(body) },
      {
        name: "word/styles.xml",
        content: `<w:styles ${wordNamespace}>${style("A", "List Bullet", 1)}${style("B", "List Bullet 2", 2)}</w:styles>`,
      },
      {
        name: "word/numbering.xml",
        content: `<w:numbering ${wordNamespace}>${numbering.join("")}</w:numbering>`,
      },
    ]);
    const { outputs } = await runOperation(toMarkdown, writeSample("docx", file));
    expect(readFileSync(outputs[0]?.path ?? "", "utf8").trim()).toBe(
      "- Fruit\n  - Apple\n  - Pear\n- Nuts",
    );
  });
});

describe("images", () => {
  it("become outputs to which the Markdown links, once each", async () => {
    const png = readFileSync(join(inputs, "logo.png"));
    const page = `<h1>A</h1><img alt="Our logo" src="data:image/png;base64,${png.toString("base64")}">`;
    const sample = writeSample("html", Buffer.from(page.repeat(2)), "my page.html");
    const { outputs } = await runOperation(toMarkdown, sample, { images: true });
    expect(outputs.map(({ suffix, extension }) => [suffix, extension])).toEqual([
      [undefined, "md"],
      ["-image-1", "png"],
    ]);
    expect(readFileSync(outputs[1]?.path ?? "").equals(png)).toBe(true);
    const text = readFileSync(outputs[0]?.path ?? "", "utf8");
    expect(text.match(/!\[Our logo\]\(my%20page-image-1\.png\)/g)).toHaveLength(2);
  });

  it("of a PDF have the pixels that poppler extracts", async () => {
    const pdf = processPath("picture.pdf");
    writeFileSync(pdf, await makePicturePdf());
    const { outputs } = await runOperation(
      toMarkdown,
      { path: pdf, type: "pdf" },
      { images: true },
    );
    const [text, image] = outputs.map(({ path }) => path);
    expect(readFileSync(text ?? "", "utf8")).toMatch(
      /^<!-- page 1 -->\n\n!\[\]\(.*-image-1\.png\)\n$/,
    );
    const { width, height } = await sharp(image).metadata();
    expect(execProgram("pdfimages", ["-list", pdf], { encoding: "utf8" })).toMatch(
      new RegExp(`image +${width} +${height} `),
    );
  });
});

it("the outline has the headings with their levels and pages", async () => {
  const { result } = await convert("routes.pptx");
  expect(result?.outline).toEqual([
    { level: 1, text: "Ways to the lake", page: 1 },
    { level: 2, text: "How long it takes", page: 2 },
    { level: 2, text: "Next steps", page: 3 },
  ]);
});

describe("text of a PDF", () => {
  async function convertPages(pages: readonly DrawnPage[]) {
    const { outputs, warnings } = await runOperation(
      toMarkdown,
      writeSample("pdf", makePages(pages)),
    );
    return { text: readFileSync(outputs[0]?.path ?? "", "utf8"), warnings };
  }

  it("in Hebrew, drawn word by word, is in the order in which it is read", async () => {
    const words = ["שלום", "עולם", "123", "טוב"];
    const lines = words.map((word, index) => ({
      // Letters are drawn from the left.
      text: word === "123" ? word : [...word].reverse().join(""),
      x: 240 - 36 * index,
      y: 150,
    }));
    expect((await convertPages([{ lines }])).text).toContain(`${words.join(" ")}\n`);
  });

  it.each([
    [0, "0 1 -1 0 100 50"],
    [0, "-1 0 0 -1 250 100"],
    [0, "0 -1 1 0 100 150"],
    [90, "1 0 0 1 20 100"],
  ])("on a page with the rotation %i and the matrix %s is read", async (rotation, matrix) => {
    const content = `BT /H 12 Tf ${matrix} Tm (First line) Tj 0 -40 Td (Second line) Tj ET`;
    const { text, warnings } = await convertPages([{ content, more: `/Rotate ${rotation}` }]);
    expect(text).toBe("<!-- page 1 -->\n\nFirst line\n\nSecond line\n");
    expect(warnings).toEqual([]);
  });
});

it("a page without text completes with a warning", async () => {
  const pdf = processPath("blank.pdf");
  execProgram("qpdf", ["--empty", "--pages", join(corpus, "manual.pdf"), "1", "--", pdf]);
  const blank = readFileSync(pdf, "latin1").replace(/\/Contents \d+ 0 R/, (found) =>
    " ".repeat(found.length),
  );
  writeFileSync(pdf, blank, "latin1");
  const { warnings } = await runOperation(toMarkdown, { path: pdf, type: "pdf" });
  expect(warnings).toEqual([expect.stringContaining("These pages have no text: 1.")]);
});

it.each([
  ["encrypted", "pdf", () => encryptPdf()],
  ["encrypted", "docx", () => makeSparseOleFile(["EncryptionInfo", "EncryptedPackage"])],
  ["corrupt", "pdf", () => Buffer.from("%PDF-1.7\nnothing")],
  ["corrupt", "pptx", () => readFileSync(join(corpus, "routes.pptx")).subarray(0, 2000)],
  ["corrupt", "eml", () => Buffer.alloc(0)],
] as const)("%s: %s", async (code, type, build) => {
  await expect(runOperation(toMarkdown, writeSample(type, build()))).rejects.toMatchObject({
    code,
  });
});

it("a document whose directory declares too much is rejected", async () => {
  const sample = { path: join(corpus, "minutes.docx"), type: "docx" } as const;
  const limits = { officeBytes: 1000 };
  const run = runOperation(toMarkdown, sample, {}, {}, undefined, limits);
  await expect(run).rejects.toMatchObject({ code: "too_complex" });
});

it("an MSG file is read like an e-mail", async () => {
  const msg = makeMsg({
    subject: "Plan für den Herbst",
    from: ["Zoë Müller", "zoe@example.com"],
    to: [["Office", "office@example.org"]],
    body: "Hello,\r\n\r\nhere is the plan.\r\n\r\n> older text",
    attachments: [{ name: "costs.csv", content: Buffer.from("a;b") }],
  });
  const { outputs } = await runOperation(toMarkdown, writeSample("msg", msg));
  const text = readFileSync(outputs[0]?.path ?? "", "utf8");
  expect(text).toMatch(
    /^# Plan für den Herbst\n\n- \*\*From:\*\* Zoë Müller \\<zoe@example.com>\n/,
  );
  expect(text).toContain(
    "\n\nHello,\n\nhere is the plan.\n\n> older text\n\n## Attachments\n\n- costs.csv (3 bytes)\n",
  );
});

/** A PDF of one page with the picture of the logo, without transparency. */
async function makePicturePdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const jpeg = await sharp(join(inputs, "logo.png"))
    .flatten({ background: "#fff" })
    .jpeg()
    .toBuffer();
  const image = await document.embedJpg(jpeg);
  document.addPage([300, 300]).drawImage(image, { x: 50, y: 50, width: 200, height: 200 });
  return document.save();
}

function encryptPdf(): Buffer {
  const pdf = processPath("secret.pdf");
  execProgram("qpdf", ["--encrypt", "a", "b", "256", "--", join(corpus, "invoice.pdf"), pdf]);
  return readFileSync(pdf);
}

function writeSample(type: MediaTypeId, content: Buffer, filename?: string): Sample {
  const path = processPath(`sample-${++samples}.${mediaType(type).extension}`);
  writeFileSync(path, content);
  return { path, type, ...(filename ? { filename } : {}) };
}
