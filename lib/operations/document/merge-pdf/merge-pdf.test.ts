import { expect, it } from "vitest";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { readWords } from "#tests/samples/pdf/pdf.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
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
