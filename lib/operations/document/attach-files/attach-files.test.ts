import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { attachFiles } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 1 }));
const makeXml = () => toSample("txt", Buffer.from("<?xml version='1.0'?><invoice>1</invoice>"));

function listAttachments(path: string): string {
  return execProgram("qpdf", ["--list-attachments", "--verbose", path]).toString();
}

it("attaches files with their names, types and relationships", async () => {
  const sample = await makeSample();
  const xml = await makeXml();
  const params = { files: [{ name: "data.xml", type: "text/xml", relationship: "data" }] };
  const { outputs } = await runOperation(attachFiles, [sample, xml], params);
  const listed = listAttachments(outputs[0]?.path ?? "");
  expect(listed).toContain("data.xml");
  expect(listed).toContain("text/xml");
  const run = runOperation(attachFiles, [xml, sample], {});
  await expect(run).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringContaining("The first input must be the PDF"),
  });
});

it("any name is kept, and the list of files is in order", async () => {
  const sample = await makeSample();
  const xml = await makeXml();
  const given = ["木 (1.txt", "größe).txt", "b.txt", "a.txt", "a.txt"];
  const params = { files: given.map((name) => ({ name })) };
  const { outputs } = await runOperation(attachFiles, [sample, ...given.map(() => xml)], params);
  const path = outputs[0]?.path ?? "";
  expect(execProgram("qpdf", ["--check", path]).toString()).toContain("No syntax");
  const listed = execProgram("pdfdetach", ["-list", path]).toString();
  for (const name of [...given, "notes.txt"]) expect(listed).toContain(`: ${name}\n`);
  // qpdf searches the list, which must be sorted for it.
  for (const name of ["a.txt", "a.txt (2)", "b.txt", "木 (1.txt", "größe).txt"]) {
    const content = execProgram("qpdf", [`--show-attachment=${name}`, path]).toString();
    expect(content).toContain("<invoice>");
  }
});

it.each(["", "a/b.xml", "a\\b.xml", "a\u0000b.xml"])("the name %j is rejected", (name) => {
  expect(attachFiles.params.safeParse({ files: [{ name }] }).success).toBe(false);
});
