import { z } from "zod";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation, type OutputFile } from "../../define.ts";
import { appendAttachments } from "./append-attachments.ts";
import { type Attachment, printMail } from "./print-mail.ts";

const actionResult = z
  .enum(["appended", "embedded", "extracted", "listed"])
  .describe("What happened to it.");

export const emailToPdf = defineOperation({
  id: "document/email-to-pdf",
  title: "Email to PDF",
  summary: "Print an email as a PDF, with its header, pictures and attachments.",
  accepts: ["eml", "msg"],
  params: z.strictObject({
    attachments: z
      .enum(["append", "extract", "ignore"])
      .default("append")
      .describe(
        "What happens to attachments: append (PDF files, images, office documents, pages and forwarded emails become pages, all others are embedded as files), extract (each becomes a further output) or ignore (their names are listed).",
      ),
    remote_images: z
      .boolean()
      .default(false)
      .describe(
        "Whether pictures at URLs are loaded. Senders can notice when that happens, so they are left out by default.",
      ),
  }),
  example: { attachments: "append" },
  sample: { input: "offer.eml", params: {} },
  produces: () => "pdf",
  result: z.strictObject({
    from: z.string(),
    to: z.string(),
    cc: z.string(),
    date: z.string().describe("As the email states it."),
    subject: z.string(),
    attachments: z.array(
      z.strictObject({
        name: z.string().describe("As the sender named it."),
        type: z.string().optional().describe("The type, such as `pdf`, detected from the content."),
        bytes: z.number().int().optional(),
        action: actionResult,
      }),
    ),
  }),
  runsIn: "runner",
  requires: ["chromium", "image", "libreoffice", "qpdf", "poppler"],
  async run({ input, params, work, signal }) {
    const { attachments: mode, remote_images: loadsRemote } = params;
    const options = { loadsRemote, writesAttachments: mode !== "ignore" };
    const mail = await printMail(input, options, work, signal);
    const request = { loadsRemote, work, signal, counter: { appended: 0 } };
    const appended = mode === "append" ? await appendAttachments(mail, request) : undefined;
    const output = work.output("pdf");
    await copyToNew((appended?.pdf ?? mail.pdf).path, output.path);
    const { pages } = await countPages(output, work, signal);
    const extracted = mode === "extract" ? await extract(mail.attachments, work) : [];
    const actionOn = (index: number): z.input<typeof actionResult> => {
      if (appended) return appended.appended[index] ? "appended" : "embedded";
      return mode === "extract" ? "extracted" : "listed";
    };
    return {
      outputs: [{ ...output, pages }, ...extracted],
      result: {
        ...mail.header,
        attachments: mail.attachments.map(({ name, file }, index) => ({
          name,
          ...(file ? { type: file.type.id, bytes: file.bytes } : {}),
          action: actionOn(index),
        })),
      },
      warnings: [
        ...(mail.omitsRemote
          ? ["Pictures at URLs were left out. Set `remote_images` to load them."]
          : []),
        ...(appended?.warnings ?? mail.warnings),
      ].slice(0, 50),
    };
  },
});

/** The attachments as outputs. The name of one cannot be kept, but its extension is. */
async function extract(
  attachments: readonly Attachment[],
  work: WorkFolder,
): Promise<OutputFile[]> {
  const outputs: OutputFile[] = [];
  for (const { name, file } of attachments) {
    if (!file) continue;
    const named = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
    const output = work.output(file.type.id === "unknown" ? (named ?? "bin") : file.extension);
    await copyToNew(file.path, output.path);
    outputs.push({ ...output, suffix: `-attachment-${outputs.length + 1}` });
  }
  return outputs;
}
