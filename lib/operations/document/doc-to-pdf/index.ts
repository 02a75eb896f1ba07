import { z } from "zod";
import { changeViews, convertToPdf, sheetFits } from "#lib/engines/libreoffice/libreoffice.ts";
import { countPages } from "#lib/formats/pdf/count-pages.ts";
import { defineOperation } from "../../define.ts";
import {
  normalizePageRanges,
  officeDocuments,
  pageRanges,
  secretText,
} from "../../fields/index.ts";
import { exportOptions, toPrintView } from "./export-options.ts";

export const docToPdf = defineOperation({
  id: "document/doc-to-pdf",
  title: "Document to PDF",
  summary: "Convert an office document to PDF.",
  accepts: officeDocuments,
  params: z.strictObject({
    page_ranges: pageRanges,
    fit_width: z
      .enum(sheetFits)
      .default("auto")
      .describe(
        "How a sheet that is wider than its page is printed: auto (scaled to the width of the page, unless the author has set its scale or print areas or it would be less than half its size), always (scaled to the width of the page) or never (the columns continue on further pages). Hidden sheets are not printed.",
      ),
    changes: z
      .enum(changeViews)
      .default("show")
      .describe(
        "Tracked changes of a text document: show (marked, as in print) or accept (as if all were accepted).",
      ),
    comments: z
      .boolean()
      .default(false)
      .describe(
        "Whether comments are kept, as notes that a PDF reader shows. Otherwise they are left out, as in print.",
      ),
    password: secretText("The password that opens the document.", { max: 255 }).optional(),
    export_options: exportOptions,
  }),
  example: { page_ranges: "1-3" },
  sample: { input: "report.docx", params: {} },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["libreoffice"],
  async run({ input, params, work, signal }) {
    const output = work.output("pdf");
    const pages = params.page_ranges ? normalizePageRanges(params.page_ranges) : "";
    const { fit_width: fit, changes, comments, password } = params;
    const view = { fit, changes, comments, ...toPrintView(params.export_options ?? {}) };
    await convertToPdf({ input, output, work, pages, view, password, signal });
    return { outputs: [{ ...output, pages: await countPages(output.path) }] };
  },
});
