import { mkdirSync, writeFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { makeOpenXml, wordBody } from "#tests/samples/office/office-packages.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

beforeAll(() => mkdirSync(processPath("."), { recursive: true }));
it("an equation of Word is on the page", async () => {
  const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  const body = `<w:p><w:r><w:t xml:space="preserve">So </w:t></w:r><m:oMath ${math}><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>`;
  const path = processPath("equation.docx");
  writeFileSync(
    path,
    makeOpenXml("docx", [{ name: "word/document.xml", content: wordBody(body) }]),
  );
  const { outputs } = await runOperation(docToPdf, { path, type: "docx" });
  const text = execProgram("pdftotext", [outputs[0]?.path ?? "", "-"], { encoding: "utf8" });
  expect(text).toMatch(/^So E=mc ?2/);
});
