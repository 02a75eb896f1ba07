import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation } from "#tests/support/operation.ts";
import { facturX } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 1 }));
const makeXml = () => toSample("txt", Buffer.from("<?xml version='1.0'?><invoice>1</invoice>"));

function listAttachments(path: string): string {
  return execProgram("qpdf", ["--list-attachments", "--verbose", path]).toString();
}

it("embeds the invoice in a PDF/A-3 and says so in XMP", async () => {
  const sample = await makeSample();
  const xml = await makeXml();
  const params = { level: "BASIC", document_type: "ORDER" };
  const { outputs } = await runOperation(facturX, sample, params, { invoice: xml });
  const path = outputs[0]?.path ?? "";
  expect(listAttachments(path)).toContain("factur-x.xml");
  const [tags] = JSON.parse(await exiftool("-j", "-XMP:all", path));
  expect(tags).toMatchObject({ Part: 3, ConformanceLevel: "BASIC", DocumentType: "ORDER" });
  execProgram("qpdf", ["--check", path]);
});

it("rejects an invoice that is no XML", async () => {
  const sample = await makeSample();
  const text = await toSample("txt", Buffer.from("total: 1"));
  const run = runOperation(facturX, sample, {}, { invoice: text });
  await expect(run).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringContaining("`invoice` must be an XML file."),
  });
});

it.each([
  ["XRECHNUNG", "xrechnung.xml", "Alternative"],
  ["MINIMUM", "factur-x.xml", "Data"],
  ["EXTENDED", "factur-x.xml", "Alternative"],
])("the profile %s is embedded as %s and as %s of the page", async (level, name, relationship) => {
  const params = { level };
  const { outputs } = await runOperation(facturX, await makeSample(), params, {
    invoice: await makeXml(),
  });
  const path = outputs[0]?.path ?? "";
  const source = execProgram("qpdf", ["--qdf", "--object-streams=disable", path, "-"]).toString();
  expect(source.match(/AFRelationship \/(Alternative|Data)/)?.[1]).toBe(relationship);
  expect(source).toContain(`<fx:DocumentFileName>${name}</fx:DocumentFileName>`);
  expect(listAttachments(path)).toContain(`${name} ->`);
});

it("an invoice that the PDF has already is replaced", async () => {
  const first = await runOperation(facturX, await makeSample(), {}, { invoice: await makeXml() });
  const again = { path: first.outputs[0]?.path ?? "", type: "pdf" } as const;
  const xml = await toSample("txt", Buffer.from("<?xml version='1.0'?><invoice>2</invoice>"));
  const { outputs, warnings } = await runOperation(facturX, again, {}, { invoice: xml });
  const path = outputs[0]?.path ?? "";
  expect(warnings).toContain("The invoice that the PDF had already was replaced.");
  const listed = listAttachments(path).match(/^\S.* ->/gm);
  expect(listed).toEqual(["factur-x.xml ->", "notes.txt ->"]);
  const shown = execProgram("qpdf", ["--show-attachment=factur-x.xml", path]).toString();
  expect(shown).toContain("<invoice>2");
  const source = execProgram("qpdf", ["--qdf", path, "-"]).toString();
  expect(source.match(/<fx:DocumentFileName>/g)).toHaveLength(1);
  expect(source).not.toContain("<invoice>1");
});
