import { z } from "zod";
import { printToPdf } from "#lib/engines/chromium/print-to-pdf.ts";
import { defineOperation } from "../../define.ts";
import {
  marginsFit,
  markdownIncludes,
  pageInputHeaders,
  printFields,
  toPrintRequest,
} from "../../fields/page/index.ts";
import { pageAssets, readPage } from "../../shared/page/read-page.ts";
import { archiveInPlace } from "../../shared/pdf/archival/archive-in-place.ts";

export const htmlToPdf = defineOperation({
  id: "document/html-to-pdf",
  title: "HTML to PDF",
  summary: "Print an HTML file or a web page as a PDF.",
  accepts: ["html"],
  params: z
    .strictObject({ ...printFields, markdown_includes: markdownIncludes })
    .refine(...marginsFit),
  files: pageAssets,
  example: { page_size: "A4", margin: "15mm", landscape: false },
  sample: { input: "invoice.html", params: { page_size: "A4", margin: "2cm" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["chromium"],
  inputHeaders: pageInputHeaders,
  async run(context) {
    const { params, work, signal } = context;
    const { limits, network } = work;
    const document = await readPage(context);
    const request = { document, ...toPrintRequest(params), limits, network, signal };
    const { output, warnings } = await printToPdf(work.output("pdf"), request);
    warnings.push(...(await archiveInPlace(output, params.pdf_a, work, signal)));
    return { outputs: [output], warnings };
  },
});
