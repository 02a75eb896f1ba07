import { z } from "zod";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { color } from "../../fields/index.ts";
import { boxResult, countResult } from "../../result-fields.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { redactDocument } from "./redact-document.ts";

const maxItems = 200;

const points = (description: string, min = 0) =>
  z.number().min(min).max(14_400).describe(description);

const region = z.strictObject({
  page: z.int().min(1).max(100_000).optional().describe("The page; the default is every page."),
  left: points("Distance from the left edge of the page."),
  top: points("Distance from the top edge of the page."),
  width: points("Width.", 0.1),
  height: points("Height.", 0.1),
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "gu") instanceof RegExp;
  } catch {
    return false;
  }
}

const params = z
  .strictObject({
    texts: z
      .array(z.string().min(1).max(500).regex(/\S/, "must not be blank"))
      .max(maxItems)
      .default([])
      .meta({
        description:
          "Texts to remove wherever they occur, in upper or lower case, such as Maria Jensen.",
        control: "json",
      }),
    patterns: z
      .array(
        z.string().min(1).max(500).refine(isPattern, "must be a regular expression of JavaScript"),
      )
      .max(50)
      .default([])
      .meta({
        description:
          "Regular expressions of JavaScript of what to remove. The words of a page are separated by single spaces.",
        control: "json",
      }),
    regions: z.array(region).max(maxItems).default([]).meta({
      description:
        "Rectangles to remove, in points (1/72 inch) from the top left of the page: page, left, top, width, height.",
      control: "json",
    }),
    color: color("#000000").describe("The color of the bars over what was removed."),
  })
  .refine(({ texts, patterns, regions }) => texts.length + patterns.length + regions.length > 0, {
    error: "`texts`, `patterns` or `regions` is required.",
  });

export type RedactParams = z.output<typeof params>;

export const redact = defineOperation({
  id: "document/redact",
  title: "Redact PDF",
  summary: "Remove texts or regions from a PDF for good, and prove that nothing is left.",
  accepts: ["pdf"],
  params,
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
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image"],
  async run({ input, params: wanted, work, signal }) {
    const { encrypted, pages } = await readPdfInfo(input, work, signal);
    if (encrypted) {
      throw new JobError(
        "encrypted",
        "The PDF is protected. Remove its protection with unlock-pdf first.",
      );
    }
    const redacted = await redactDocument(input, wanted, work, signal);
    const warnings = [...redacted.warnings, ...(await signatureWarnings(input))];
    const { areas, output } = redacted;
    return { outputs: [{ ...output, pages }], result: { areas, count: areas.length }, warnings };
  },
});
