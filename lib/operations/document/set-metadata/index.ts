import { z } from "zod";
import { readTags, writeTags } from "#lib/engines/exiftool/exiftool.ts";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { isFileTag, type Tag, toArchivalArguments, toArguments } from "./tags.ts";
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

const maxValue = 2000;

const tagName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w:-]*$/, "must be the name of a tag");

const tagText = z
  .string()
  .max(maxValue)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
    error: "must be text without control characters",
  });

const tagValue = z.union([tagText, z.number(), z.boolean(), z.array(tagText).max(100)]);

export const setMetadata = defineOperation({
  id: "document/set-metadata",
  title: "Set PDF metadata",
  summary: "Set the title, author, subject, keywords and other properties of a PDF.",
  accepts: ["pdf"],
  params: z
    .strictObject({
      title: property("Title, which viewers show in their title bar."),
      author: property("Author."),
      subject: property("Subject."),
      keywords: property("Keywords, separated by commas."),
      tags: z
        .record(tagName, tagValue)
        .refine((tags) => Object.keys(tags).length <= 100, "must have at most 100 tags")
        .optional()
        .meta({
          description:
            'Further tags of the PDF and its XMP, such as {"Creator": "Billing", "CreateDate": "2026:04:17 09:00:00Z"}. A list sets several values. They are written as they are, in a PDF/A file to both; what they replace stays in the file as an earlier version.',
          control: "json",
        }),
    })
    .refine((params) => Object.values(params).some((value) => value !== undefined), {
      path: ["title"],
      error: "or another property is required",
    }),
  example: { title: "Annual report", author: "Ada Lovelace" },
  sample: {
    input: "contract.pdf",
    params: { title: "Consulting agreement 2026-0417", keywords: "contract, consulting" },
    shows: "tags",
  },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "exiftool"],
  async run({ input, params: { tags = {}, ...properties }, work, signal }) {
    const given = Object.entries(tags).filter(([name]) => !isFileTag(name));
    const hasProperties = Object.values(properties).some((value) => value !== undefined);
    if (!hasProperties) {
      const { pages } = await countPages(input, work, signal);
      const output = work.output("pdf");
      if (given.length > 0) await writeAll(input, output, given, signal);
      else await copyToNew(input.path, output.path);
      return { outputs: [{ ...output, pages }], warnings: await signatureWarnings(input) };
    }
    const { outputs, warnings } = await rewritePdf(setProperties, {
      inputs: [input],
      options: properties,
      work,
      signal,
    });
    const [written] = outputs;
    if (!written || given.length === 0) return { outputs, warnings };
    const tagged = work.output("pdf");
    await writeAll(written, tagged, given, signal);
    return { outputs: [{ ...written, ...tagged }], warnings };
  },
});

/** A PDF/A file stays one: its information dictionary and its XMP agree (ISO 19005-1, 6.7.3). */
async function writeAll(
  file: WorkFile,
  output: WorkFile,
  tags: readonly Tag[],
  signal: AbortSignal,
): Promise<void> {
  const isArchival = (await readTags(file, signal)).has("XMP-pdfaid:Part");
  const values = tags.flatMap(isArchival ? toArchivalArguments : toArguments);
  await writeTags(file, output, values, signal);
}
