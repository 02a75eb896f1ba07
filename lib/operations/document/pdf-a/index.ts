import { z } from "zod";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { archivalLevels } from "#lib/formats/pdf/archival/levels.ts";
import { defineOperation } from "../../define.ts";
import { archivePdf } from "../../shared/pdf/archival/archive-pdf.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";

export const pdfA = defineOperation({
  id: "document/pdf-a",
  title: "Convert PDF to PDF/A",
  summary: "Make a PDF for long-term archiving, as ISO 19005 defines it.",
  accepts: ["pdf"],
  params: z.strictObject({
    level: z
      .enum(archivalLevels)
      .default("2b")
      .describe(
        "Level of PDF/A. 2b suits most documents. 1b is for archives that accept nothing newer: it has no transparency, layers or tags. 3b is 2b with attached files.",
      ),
  }),
  example: { level: "2b" },
  sample: { input: "contract.pdf", params: { level: "2b" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "poppler", "ghostscript", "image"],
  async run({ input, params, work, signal, progress }) {
    const { pages } = await readPageInfo(input, work, signal);
    const output = work.output("pdf");
    const request = { input, output, level: params.level, onProgress: progress };
    const { warnings } = await archivePdf(request, work, signal);
    return {
      outputs: [{ ...output, pages }],
      warnings: [...(await signatureWarnings(input)), ...warnings],
    };
  },
});
