import { expect } from "vitest";
import { badOffice } from "#tests/hostile/bad-office.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { reachingDocuments } from "#tests/hostile/reaching-documents.ts";
import { readPdf } from "#tests/samples/pdf.ts";

describeBadInputs([...badOffice, ...reachingDocuments], ({ outputs }, row) => {
  const [output] = outputs;
  // What it says itself is there: it was read, and only what is elsewhere is not.
  if (output?.extension !== "pdf" || !reachingDocuments.includes(row)) return;
  expect(readPdf(output.path).text).toContain("still");
});
