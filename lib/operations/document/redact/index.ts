import { z } from "zod";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { defineOperation } from "../../define.ts";
import { boxResult, countResult } from "../../result-fields.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { redactParams } from "./params.ts";
import { redactDocument } from "./redact-document.ts";

export const redact = defineOperation({
  id: "document/redact",
  title: "Redact PDF",
  summary: "Remove texts or regions from a PDF for good, and prove that nothing is left.",
  accepts: ["pdf"],
  params: redactParams,
  example: { texts: ["Maria Jensen"], patterns: ["\\S+@\\S+\\.\\w+"] },
  sample: {
    input: "contract.pdf",
    params: {
      texts: ["Maria Jensen", "Elbchaussee 81, 22763 Hamburg"],
      patterns: ["\\S+@\\S+\\.\\w+", "\\+49[\\d ]+\\d", "DE\\d\\d( \\d{2,4})+"],
    },
  },
  produces: () => "pdf",
  result: z.strictObject({
    areas: z
      .array(
        z.strictObject({
          page: countResult("The page, from 1."),
          box: boxResult("Its place in points, from the top left of the page."),
        }),
      )
      .describe("The areas that were removed."),
    count: countResult("Number of areas."),
  }),
  live: "page",
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image"],
  async run({ input, params: wanted, work, signal }) {
    const { pages } = await readPageInfo(input, work, signal);
    const redacted = await redactDocument(input, wanted, work, signal);
    const warnings = [...redacted.warnings, ...(await signatureWarnings(input))];
    const { areas, output } = redacted;
    return { outputs: [{ ...output, pages }], result: { areas, count: areas.length }, warnings };
  },
});
