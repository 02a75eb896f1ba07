import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation } from "#tests/support/operation.ts";
import { facturX } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 1 }));
const makeXml = () => toSample("txt", Buffer.from("<?xml version='1.0'?><invoice>1</invoice>"));

function listAttachments(path: string): string {
  return execFileSync("qpdf", ["--list-attachments", "--verbose", path]).toString();
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
  execFileSync("qpdf", ["--check", path]);
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
