import { expect } from "vitest";
import { badOffice } from "#tests/support/bad-office.ts";
import { describeBadInputs } from "#tests/support/describe-bad-inputs.ts";
import { readPdf } from "#tests/support/pdf.ts";
import { reachingDocuments } from "#tests/support/reaching-documents.ts";

describeBadInputs([...badOffice, ...reachingDocuments], ({ outputs }, row) => {
  const [output] = outputs;
  // What it says itself is there: it was read, and only what is elsewhere is not.
  if (output?.extension !== "pdf" || !reachingDocuments.includes(row)) return;
  expect(readPdf(output.path).text).toContain("still");
});
