import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { buildBadInput } from "#tests/hostile/bad-input.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badPages } from "#tests/hostile/documents/bad-pages.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";

describeBadInputs(badPages, async ({ outputs }, row) => {
  const [output] = outputs;
  if (output?.extension !== "pdf") return;
  const source = readFileSync((await buildBadInput(row)).path, "utf8");
  if (source.includes("still")) expect(readPdf(output.path).text).toContain("still");
});
