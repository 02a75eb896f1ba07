import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { setProperties } from "./worker-functions.ts";

function property(description: string) {
  return z
    .string()
    .max(2000)
    .refine((text) => text.isWellFormed(), "must be valid Unicode")
    .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters")
    .optional()
    .describe(`${description} An empty text removes it. By default it stays as it is.`);
}

export const setMetadata = defineOperation({
  id: "document/set-metadata",
  title: "Set PDF metadata",
  summary: "Set the title, author, subject and keywords of a PDF.",
  accepts: ["pdf"],
  params: z
    .strictObject({
      title: property("Title, which viewers show in their title bar."),
      author: property("Author."),
      subject: property("Subject."),
      keywords: property("Keywords, separated by commas."),
    })
    .refine((params) => Object.values(params).some((value) => value !== undefined), {
      path: ["title"],
      error: "or another property is needed: set at least one",
    }),
  example: { title: "Annual report", author: "Ada Lovelace" },
  sample: {
    input: "contract.pdf",
    params: { title: "Consulting agreement 2026-0417", keywords: "contract, consulting" },
    shows: "tags",
  },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const { outputs, warnings } = await rewritePdf(setProperties, {
      inputs: [input],
      options: params,
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
