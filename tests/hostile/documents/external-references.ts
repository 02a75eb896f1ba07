import { makeOpenDocumentPackage } from "#tests/samples/office/office-packages.ts";
import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";
import {
  macroDocument,
  presentation,
  spreadsheet,
  textDocument,
} from "./external-references-odf.ts";
import { slides, wordDocument, workbook } from "./external-references-ooxml.ts";

/** Bad inputs: documents with references to a server or another job's file. Each has the text `still`. */

function richText({ url, secretFile }: Canary): Buffer {
  const image = (target: string) =>
    `{\\field{\\*\\fldinst INCLUDEPICTURE "${target}" \\\\d}{\\fldrslt old}}`;
  const text = (target: string) => `{\\field{\\*\\fldinst INCLUDETEXT "${target}"}{\\fldrslt old}}`;
  return Buffer.from(
    `{\\rtf1{\\*\\template ${url}/t.dot}still ${image(`${url}/a.png`)}${image(secretFile)}${text(secretFile)}${text(`${url}/b`)}{\\field{\\*\\fldinst DDEAUTO cmd "/c calc"}{\\fldrslt old}}{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document.8}{\\*\\objdata 0105000002000000}{\\result old}}{\\subdocument ${secretFile}}}`,
  );
}

const document = (
  id: string,
  type: BadInput["type"],
  build: (canary: Canary) => Buffer,
  ...more: BadInput["expected"]
): BadInput => ({ id, type, build, expected: ["completes", ...more] });

export const documentsWithExternalReferences: readonly BadInput[] = [
  document("a DOCX with external references", "docx", wordDocument),
  document("an XLSX with external references", "xlsx", workbook),
  document("a PPTX with external references", "pptx", slides),
  document("an ODT with external references", "odt", textDocument),
  document("an ODS with external references", "ods", spreadsheet),
  document("an ODP with external references", "odp", presentation),
  document("an RTF with external references", "rtf", richText),
  document("an ODT with a macro that runs on load", "odt", macroDocument),
  document(
    "an ODT with a file as an entity",
    "odt",
    ({ url, secretFile }) =>
      makeOpenDocumentPackage("text", "<text:p>still</text:p><text:p>&a;&b;</text:p>", {
        prolog: `<!DOCTYPE d [<!ENTITY a SYSTEM "file://${secretFile}"><!ENTITY b SYSTEM "${url}/b">]>`,
      }),
    "corrupt",
  ),
  document("a CSV of formulas", "csv", ({ url, secretFile }) =>
    Buffer.from(
      `still,b\n=1+1,"=WEBSERVICE(""${url}/a"")"\n=cmd|'/c calc'!A0,='file://${secretFile}'#$S.A1\n`,
    ),
  ),
];
