import { z } from "zod";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { relationships } from "./relationships.ts";
import { attachFiles as attach } from "./worker-functions.ts";

const attachment = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
    .regex(/^[^/\\\u0000-\u001f\u007f-\u009f]+$/, "must be a file name"),
  type: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type such as text/xml")
    .optional(),
  relationship: z.enum(relationships).optional(),
});

const attachable = mediaTypesOf("document", "image", "video", "audio", "other");

export const attachFiles = defineOperation({
  id: "document/attach-files",
  title: "Attach files",
  summary: "Attach files of any type to a PDF, such as the XML of an invoice.",
  // The PDF first: examples begin with it.
  accepts: ["pdf", ...attachable.filter((type) => type !== "pdf")],
  inputs: { min: 2, max: 50 },
  params: z.strictObject({
    files: z.array(attachment).max(49).default([]).meta({
      description:
        "What to say of the attached files, in their order: name (by default that of the file), type (its media type) and relationship to the document (source, data, alternative, supplement or unspecified).",
      control: "json",
    }),
  }),
  example: { files: [{ name: "invoice.xml", type: "text/xml", relationship: "alternative" }] },
  sample: { inputs: ["contract.pdf", "report.docx"], params: {} },
  produces: () => "pdf",
  rejects: (type, _params, index) =>
    index > 0 || type === "pdf"
      ? undefined
      : "The first input must be the PDF that the others are attached to.",
  // Images are attached as they are.
  keepsInput: true,
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ inputs, params, work, signal }) {
    const [document, ...others] = inputs;
    if (!document) throw new Error("there is no input");
    const files = others.map(({ filename, type }, index) => ({
      name: filename,
      type: type.mime,
      relationship: "unspecified" as const,
      ...params.files[index],
    }));
    const { outputs, warnings } = await rewritePdf(attach, {
      inputs: [document],
      files: others,
      options: { files },
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
