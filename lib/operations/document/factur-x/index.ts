import { z } from "zod";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import { archivePdf } from "../../shared/pdf/archival/archive-pdf.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { runQpdfJob } from "../../shared/pdf/run-qpdf-job.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { embedInvoice } from "./worker-functions.ts";

export const facturX = defineOperation({
  id: "document/factur-x",
  title: "Factur-X invoice",
  summary: "Make an electronic invoice (Factur-X, ZUGFeRD) of a PDF and its data as XML.",
  accepts: ["pdf"],
  params: z.strictObject({
    level: z
      .enum(["MINIMUM", "BASIC WL", "BASIC", "EN 16931", "EXTENDED", "XRECHNUNG"])
      .default("EN 16931")
      .describe("The profile that the XML follows. The XML itself is not checked."),
    document_type: z
      .enum(["INVOICE", "ORDER", "ORDER_RESPONSE", "ORDER_CHANGE"])
      .default("INVOICE")
      .describe("What the document is."),
    version: z
      .string()
      .max(20)
      .regex(/^\d+(?:\.\d+)*(?:p\d+)?$/, "must be a version such as 1.0")
      .default("1.0")
      .describe("The version of the XML schema."),
    file_name: z
      .enum(["factur-x.xml", "xrechnung.xml"])
      .optional()
      .describe(
        "Name of the embedded XML. By default that of the profile: xrechnung.xml for XRECHNUNG, factur-x.xml for all others.",
      ),
  }),
  files: {
    invoice: {
      // Files with the extension xml are taken for those of Word and Excel, until their content is read.
      accepts: ["txt", "unknown", "wordml", "excelml"],
      required: true,
      description: "The data of the invoice: XML in the format Cross Industry Invoice.",
    },
  },
  example: { level: "EN 16931" },
  sample: { input: "contract.pdf", files: { invoice: "invoice.xml" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "poppler", "ghostscript", "image"],
  async run({ input, files: { invoice }, params, work, signal }) {
    if (!invoice) throw new Error("the job has no invoice");
    const { pages } = await readPageInfo(input, work, signal);
    const archived = work.scratch("pdf");
    const { warnings } = await archivePdf({ input, output: archived, level: "3b" }, work, signal);
    const { outputs, result } = await callInWorker(embedInvoice, {
      files: [await normalizePdf(archived, work, signal), invoice],
      options: params,
      work,
      signal,
      timeoutMs: work.limits.pdfSeconds * 1000,
    });
    const [written] = outputs;
    if (!written) throw new Error("a worker returned no PDF");
    const output = work.output("pdf");
    // PDF/A-3 is a PDF 1.7.
    const options = { objectStreams: "generate", forceVersion: "1.7" };
    await runQpdfJob(written, output, options, work, signal);
    const all = [...(await signatureWarnings(input)), ...warnings];
    if (result.replaced) all.push("The invoice that the PDF had already was replaced.");
    return { outputs: [{ ...output, pages }], warnings: all };
  },
});
