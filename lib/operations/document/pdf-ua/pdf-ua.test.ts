import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation } from "#tests/support/operation.ts";
import { pdfUa } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 1 }));

it("declares a tagged PDF as PDF/UA, and warns about one without tags", async () => {
  const sample = await makeSample();
  const { outputs, warnings } = await runOperation(pdfUa, sample, { title: "A <b>" });
  const [tags] = JSON.parse(await exiftool("-j", "-a", "-G1", outputs[0]?.path ?? ""));
  const isDeclared = tags["XMP-pdfuaid:Part"] === 1;
  const warned = warnings?.some((warning) => warning.startsWith("The PDF has no tags")) ?? false;
  expect(isDeclared).toBe(!warned);
  expect(tags["PDF:Title"] ?? "").not.toBe("");
});

it("rejects a damaged PDF", async () => {
  const damaged = await toSample("pdf", Buffer.from("%PDF-1.7\n1 0 obj\n<<"));
  await expect(runOperation(pdfUa, damaged, {})).rejects.toMatchObject({ code: "corrupt" });
});
