import { z } from "zod";
import { convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import { countPages } from "#lib/engines/pdf/count-pages.ts";
import { defineOperation } from "../../define.ts";
import { normalizePageRanges, officeDocuments, pageRanges } from "../../fields/index.ts";

export const docToPdf = defineOperation({
  id: "document/doc-to-pdf",
  title: "Document to PDF",
  summary: "Convert an office document to PDF.",
  accepts: officeDocuments,
  params: z.strictObject({ page_ranges: pageRanges }),
  example: { page_ranges: "1-3" },
  sample: { input: "report.docx", params: {} },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["libreoffice"],
  async run({ input, params, work, signal }) {
    const output = work.output("pdf");
    const pages = params.page_ranges ? normalizePageRanges(params.page_ranges) : "";
    await convertToPdf({ input, output, work, pages, signal });
    return { outputs: [{ ...output, pages: await countPages(output.path) }] };
  },
});
