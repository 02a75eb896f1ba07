import { expect, it } from "vitest";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { readWords } from "#tests/samples/pdf/pdf.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { fillForm } from "../fill-form/index.ts";
import { mergePdf } from "./index.ts";

it("keeps bookmarks, links, fields, labels, tags and attachments of all files", async () => {
  const first = await toSample("pdf", makeRichPdf({ pages: 2, text: "One" }));
  const second = await toSample("pdf", makeRichPdf({ pages: 3, text: "Two", info: "" }));
  execProgram("qpdf", [second.path, "--replace-input", "--object-streams=generate"]);
  const named = [
    { ...first, filename: "Angebot (Größe 3).pdf" },
    { ...second, filename: "two.v2.PDF" },
  ];
  const { outputs } = await runOperation(mergePdf, named);
  expect(outputs).toMatchObject([{ pages: 5 }]);
  const { text: _, objects: __, ...read } = readRichPdf(outputs[0]?.path ?? "");
  expect(read).toEqual({
    outlines:
      "Angebot (Größe 3)>1[Start>1[One 1>1 One 2>2] Web>-] two.v2>3[Start>3[Two 1>3 Two 2>4 Two 3>5] Web>-]",
    fields: [
      "name@1",
      "field1@1",
      "name@2",
      "field2@2",
      "name_2@3",
      "field1_2@3",
      "name_2@4",
      "field2_2@4",
      "name_2@5",
      "field3@5",
    ],
    attachments: ["notes.txt", "notes.txt (2)"],
    labels: [
      [0, "/r", 1],
      [2, "/r", 1],
      [4, "/D", 1],
    ],
    links: [
      [1, 2],
      [1, 2],
      [3, 5],
      [3, 5],
      [3, 5],
    ],
    named: [],
    tags: ["One 1", "One 2", "Two 1", "Two 2", "Two 3"],
  });
});

it("keeps the font, size, color and alignment that the fields of each form inherit", async () => {
  const standard = "/Type /Font /Subtype /Type1";
  const makeForm = (field: string, form: string, baseFont: string) =>
    makePdfBytes({
      objects: [
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DR << /Font << /F1 5 0 R /Helv 6 0 R >> >> ${form} >> >>`,
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Annots [7 0 R] >>",
        `<< /FT /Tx /T (${field}) /Kids [7 0 R] >>`,
        `<< ${standard} /BaseFont /${baseFont} >>`,
        `<< ${standard} /BaseFont /Helvetica >>`,
        "<< /Type /Annot /Subtype /Widget /Parent 4 0 R /Rect [50 100 350 140] /P 3 0 R >>",
      ],
    });
  const samples = [
    await toSample("pdf", makeForm("a", "/DA (/F1 8 Tf 0 g)", "Courier")),
    await toSample("pdf", makeForm("b", "/DA (/F1 24 Tf 1 0 0 rg) /Q 2", "Times-Roman")),
    await toSample("pdf", makeForm("c", "/DA (/Helv 16 Tf 0 g) /Q 1", "Symbol")),
  ];
  const merged = await runOperation(mergePdf, samples);
  const path = merged.outputs[0]?.path ?? "";
  const json = execProgram("qpdf", ["--json=2", path], { encoding: "utf8" });
  expect(json.match(/u:\/\w+ \d+ Tf[^"]*/g)?.toSorted()).toEqual([
    "u:/F1 8 Tf 0 g",
    "u:/F1 8 Tf 0 g",
    "u:/F1_2 24 Tf 1 0 0 rg",
    "u:/Helv 16 Tf 0 g",
  ]);
  expect(json.match(/"\/(F1|Helv)\w*": "\d/g)).toHaveLength(4);
  const values = { a: "Hello", b: "Hello", c: "Hello" };
  const filled = await runOperation(fillForm, { path, type: "pdf" }, { values });
  const words = readWords(filled.outputs[0]?.path ?? "");
  const [a, b, c] = words.map(({ top, bottom }) => bottom - top);
  expect((b ?? 0) / (a ?? 0)).toBeGreaterThan(2);
  expect((c ?? 0) / (a ?? 0)).toBeGreaterThan(1.5);
  expect(words[0]?.left).toBeLessThan(60);
  expect(words[1]?.right).toBeGreaterThan(340);
  expect(((words[2]?.left ?? 0) + (words[2]?.right ?? 0)) / 2).toBeCloseTo(200, -0.5);
  const fonts = execProgram("pdffonts", [filled.outputs[0]?.path ?? ""], { encoding: "utf8" });
  expect(fonts).toMatch(/Mono/);
  expect(fonts).toMatch(/Serif/);
});

it("takes files of all kinds, in order", async () => {
  const samples = [
    await toSample("html", Buffer.from("<title>T</title><h1>Über uns</h1><p>web")),
    await toSample("txt", Buffer.from("plain")),
    await toSample("jpeg", await makeTestImage().jpeg().toBuffer()),
    await toSample("pdf", makeRichPdf({ pages: 1 })),
    await toSample("gif", await (await makeTestFrames(["#a00", "#0a0"])).gif().toBuffer()),
  ];
  const { outputs } = await runOperation(mergePdf, samples);
  const path = outputs[0]?.path ?? "";
  const { text, links } = readRichPdf(path);
  const found = ["Über uns", "plain", "", "Page 1", ""];
  expect(text).toMatchObject(found.map((words) => expect.stringContaining(words)));
  expect(links[3]).toEqual([4, 4]);
  expect(readWords(path).length).toBeGreaterThan(5);
  const images = execProgram("pdfimages", ["-list", path], { encoding: "utf8" });
  expect(images).toMatch(/^ +3 +0 image +240 +180 .* jpeg /m);
});

it("keeps the restrictions of a file; a file with a password or damage fails", async () => {
  const open = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const restricted = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const encrypt = (user: string) => encryptPdf(restricted.path, user, "--extract=n");
  encrypt("");
  const { outputs } = await runOperation(mergePdf, [open, restricted]);
  const info = execProgram("pdfinfo", [outputs[0]?.path ?? ""], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes .*copy:no/);
  encrypt("secret");
  const locked = runOperation(mergePdf, [open, restricted]);
  const named = expect.stringMatching(/^Input 2, [^:]+: The PDF is protected/);
  await expect(locked).rejects.toMatchObject({ code: "encrypted", message: named });
  const damaged = await toSample("pdf", Buffer.from("%PDF-1.7\nnothing"));
  const run = runOperation(mergePdf, [open, damaged]);
  const message = expect.stringMatching(/^Input 2, [^:]+: The file is damaged/);
  await expect(run).rejects.toMatchObject({ code: "corrupt", message });
});
