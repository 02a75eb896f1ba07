import { z } from "zod";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import { runQpdfJob } from "../../shared/pdf/run-qpdf-job.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { declareAccessible } from "./worker-functions.ts";

export const pdfUa = defineOperation({
  id: "document/pdf-ua",
  title: "Convert PDF to PDF/UA",
  summary: "Declare a tagged PDF as accessible, with a title and a language, as ISO 14289-1 wants.",
  accepts: ["pdf"],
  params: z.strictObject({
    title: z
      .string()
      .min(1)
      .max(2000)
      .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must be one line of text")
      .optional()
      .describe("The title of a PDF that has none. By default that of its file."),
    language: z
      .string()
      .max(50)
      .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/, "must be a language code such as en or de-AT")
      .default("en")
      .describe("The language of a PDF that declares none, such as en or de-AT."),
  }),
  example: { language: "en" },
  sample: { input: "contract.pdf" },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "poppler"],
  async run({ input, params, work, signal }) {
    const { pages } = await readPageInfo(input, work, signal);
    const { outputs, result } = await callInWorker(declareAccessible, {
      files: [await normalizePdf(input, work, signal)],
      options: {
        title: params.title ?? input.filename.replace(/(?!^)\.[a-z0-9]{1,8}$/i, ""),
        language: params.language,
      },
      work,
      signal,
      timeoutMs: work.limits.pdfSeconds * 1000,
    });
    const [written] = outputs;
    if (!written) throw new Error("a worker returned no PDF");
    const output = work.output("pdf");
    const objectStreams = await objectStreamsOf(written);
    await runQpdfJob(written, output, { objectStreams }, work, signal);
    const untagged =
      "The PDF has no tags, so it is not declared as PDF/UA. Make it from its source with tags.";
    const warnings = [...(await signatureWarnings(input)), ...(result.tagged ? [] : [untagged])];
    return { outputs: [{ ...output, pages }], warnings };
  },
});
