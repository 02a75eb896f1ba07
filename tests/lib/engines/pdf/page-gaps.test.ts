import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { countPages, readUnits } from "#lib/engines/pdf/run-qpdf.ts";
import type { Operation } from "#lib/operations/define.ts";
import { fillForm } from "#lib/operations/document/fill-form/index.ts";
import { flattenPdf } from "#lib/operations/document/flatten-pdf/index.ts";
import { pageNumbers } from "#lib/operations/document/page-numbers/index.ts";
import { protectPdf } from "#lib/operations/document/protect-pdf/index.ts";
import { rotatePdf } from "#lib/operations/document/rotate-pdf/index.ts";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata/index.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/** A PDF whose page tree lists a null, and an object that does not exist, between its two pages. */
function makeGaps(): Buffer {
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /UserUnit 2 /Contents ${contents} 0 R >>`;
  const text = (value: string) => pdfStream("", `BT /F1 24 Tf 40 100 Td (${value}) Tj ET`);
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  const resources = `/MediaBox [0 0 300 200] /Resources << /Font << /F1 ${font} >> >>`;
  const kids = "/Kids [null 3 0 R null 20 0 R 4 0 R]";
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages ${kids} /Count 2 ${resources} >>`,
      page(5),
      page(6),
      text("First"),
      text("Last"),
    ],
  });
}

async function save() {
  const file = temporaryWorkFolder().input("pdf");
  await writeFile(file.path, makeGaps());
  return { path: file.path, type: "pdf" } as const;
}

it("pages next to gaps of the page tree are counted", async () => {
  const work = temporaryWorkFolder();
  const file = work.input("pdf");
  await writeFile(file.path, makeGaps());
  const signal = new AbortController().signal;
  expect(await countPages(file, work, signal)).toMatchObject({ pages: 2, repaired: true });
  expect(await readUnits(file, work, signal)).toEqual([{ first: 1, last: 2, points: 2 }]);
});

it.each<[string, Operation, Record<string, unknown>]>([
  ["rotate-pdf", rotatePdf, { angle: 180 }],
  ["protect-pdf", protectPdf, { owner_password: "owner" }],
  ["page-numbers", pageNumbers, { format: "{page} of {pages}" }],
  ["flatten-pdf", flattenPdf, {}],
  ["fill-form", fillForm, { values: {} }],
  ["strip-metadata", stripMetadata, {}],
])("%s writes a page tree without gaps", async (_, operation, params) => {
  const { outputs } = await runOperation(operation, await save(), params);
  const path = outputs[0]?.path ?? "";
  expect(execFileSync("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
  expect(execFileSync("qpdf", ["--show-npages", path], { encoding: "utf8" }).trim()).toBe("2");
  const text = execFileSync("pdftotext", [path, "-"], { encoding: "utf8" });
  expect(text).toMatch(/First[\s\S]*\f[\s\S]*Last/);
});
