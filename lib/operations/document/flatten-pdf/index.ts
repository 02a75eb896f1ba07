import { z } from "zod";
import { countPages, dynamicFormWarning } from "#lib/engines/pdf/run-qpdf.ts";
import { defineOperation } from "../../define.ts";
import { countResult } from "../../result-fields.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { flattenPdf as flatten } from "./flatten-document.ts";

export const flattenPdf = defineOperation({
  id: "document/flatten-pdf",
  title: "Flatten PDF",
  summary:
    "Make form fields, comments and other annotations part of the page. Links and scripts are removed.",
  accepts: ["pdf"],
  params: z.strictObject({}),
  example: {},
  sample: { input: "registration-form.pdf" },
  produces: () => "pdf",
  result: z.strictObject({
    annotations: countResult("Number of form fields and annotations that became part of a page."),
  }),
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image", "chromium"],
  async run({ input, work, signal }) {
    const { pages, hasGaps, isDynamic } = await countPages(input, work, signal);
    if (isDynamic) work.warn(dynamicFormWarning);
    const output = work.output("pdf");
    const annotations = await flatten(input, output, work, signal, { flatPages: hasGaps });
    const warnings = await signatureWarnings(input);
    return { outputs: [{ ...output, pages }], result: { annotations }, warnings };
  },
});
