import { rename } from "node:fs/promises";
import type { z } from "zod";
import { printToPdf } from "#lib/engines/chromium/print-to-pdf.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { mediaType } from "#lib/media/types.ts";
import type { InputFile } from "../../define.ts";
import type { MailPageOptions } from "./mail-tasks.ts";
import { type mailSchema, writeMailPage } from "./worker-functions.ts";

/** The header of an e-mail, for the result of the job. */
export type MailHeader = Pick<
  z.output<typeof mailSchema>,
  "from" | "to" | "cc" | "date" | "subject"
>;

export interface Attachment {
  /** The name of the file as the sender gave it. */
  readonly name: string;
  readonly mime: string;
  /** The file; absent if attachments are not read. */
  readonly file?: InputFile;
}

export interface PrintedMail {
  readonly pdf: WorkFile & { readonly pages: number };
  readonly header: MailHeader;
  readonly attachments: readonly Attachment[];
  /** Whether pictures at URLs were left out. */
  readonly omitsRemote: boolean;
  /** What could not be loaded. */
  readonly warnings: readonly string[];
}

/** A time that is much longer than any e-mail needs. */
const readTimeoutMs = 60_000;

/** A4 in inches, with margins of 18 mm. */
const paper = { width: 210 / 25.4, height: 297 / 25.4 };
const side = 18 / 25.4;
const margins = { top: side, right: side, bottom: side, left: side };

/** Prints an e-mail without its attachments. Throws `JobError` (`corrupt`, `too_complex`, …). */
export async function printMail(
  input: InputFile,
  options: Omit<MailPageOptions, "type">,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<PrintedMail> {
  const { outputs, result } = await callInWorker(writeMailPage, {
    files: [input],
    options: { ...options, type: input.type.id },
    work,
    signal,
    timeoutMs: readTimeoutMs,
  });
  const [page, ...files] = outputs;
  if (!page) throw new Error("the worker wrote no page");
  const { output: pdf, warnings } = await printToPdf(work.scratch("pdf"), {
    document: await readPageDocument({ path: page.path, charset: "utf-8" }, work.limits),
    paper: { ...paper, margins },
    options: { printBackground: true, generateTaggedPDF: true, generateDocumentOutline: true },
    info: { title: result.subject.slice(0, 2000), author: result.from.slice(0, 2000) },
    limits: work.limits,
    network: work.network,
    signal,
  });
  const { attachments, omitsRemote, ...header } = result;
  const opened: Attachment[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const file = files[index];
    opened.push(
      file ? { ...attachment, file: await openAttachment(file, attachment, work) } : attachment,
    );
  }
  // Pictures that are left out on purpose have one warning together.
  return { pdf, header, attachments: opened, omitsRemote, warnings: omitsRemote ? [] : warnings };
}

/** An attachment as an input: its content decides which type it has. */
async function openAttachment(
  file: WorkFile,
  { name, mime }: Omit<Attachment, "file">,
  work: WorkFolder,
): Promise<InputFile> {
  const type = await detectFileType(file.path, { filename: name, contentType: mime });
  // A forwarded e-mail may be too short to be recognized.
  const declared = mime === "message/rfc822" ? mediaType("eml") : type;
  const named = work.scratch(declared.extension);
  await rename(file.path, named.path);
  return { ...named, type: declared, bytes: (await statRegular(named.path)).size, filename: name };
}
