import { expect } from "vitest";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badOffice } from "#tests/hostile/documents/bad-office.ts";
import { badOfficeFormats } from "#tests/hostile/documents/bad-office-formats.ts";
import { documentsWithExternalReferences } from "#tests/hostile/documents/external-references.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";

describeBadInputs(
  [...badOffice, ...badOfficeFormats, ...documentsWithExternalReferences],
  ({ outputs }, row) => {
    const [output] = outputs;
    // The document's own text is present. Only the external content is missing.
    if (output?.extension !== "pdf" || !documentsWithExternalReferences.includes(row)) return;
    expect(readPdf(output.path).text).toContain("still");
  },
);
