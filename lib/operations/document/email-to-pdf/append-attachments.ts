import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import type { InputFile } from "../../define.ts";
import { mergeFiles } from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { convertsToPdf, fileToPdf } from "../../shared/to-pdf/file-to-pdf.ts";
import { type Attachment, type PrintedMail, printMail } from "./print-mail.ts";
import { embedFiles } from "./worker-functions.ts";

/** Forwarded e-mails within forwarded e-mails whose attachments are read. */
const maxDepth = 3;
/** Attachments of all these e-mails that become pages; further ones are embedded. */
const maxAppended = 100;

export interface AppendRequest {
  readonly loadsRemote: boolean;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Counts the attachments of all e-mails. */
  readonly counter: { appended: number };
}

export interface AppendedMail {
  readonly pdf: WorkFile;
  readonly warnings: readonly string[];
  /** What became of each attachment, in order. */
  readonly appended: readonly boolean[];
}

/**
 * The e-mail followed by the pages of its attachments. Those that have no pages, or cannot be read, are
 * embedded in the PDF as files, with a warning.
 */
export async function appendAttachments(
  mail: PrintedMail,
  request: AppendRequest,
  depth = 0,
): Promise<AppendedMail> {
  const pages: { file: WorkFile; title: string }[] = [];
  const embedded: Attachment[] = [];
  const warnings: string[] = [...mail.warnings];
  const appended: boolean[] = [];
  for (const attachment of mail.attachments) {
    const { name, file } = attachment;
    if (!file) continue;
    const outcome = await toPages(file, request, depth);
    appended.push("pdf" in outcome);
    if ("pdf" in outcome) {
      pages.push({ file: outcome.pdf, title: name.slice(0, 300) });
      warnings.push(...outcome.warnings);
    } else {
      embedded.push(attachment);
      warnings.push(
        `The attachment ${quote(name)} ${outcome.problem}, so it is embedded as a file.`,
      );
    }
  }
  const first = embedded.length > 0 ? await embed(mail.pdf, embedded, request) : mail.pdf;
  if (pages.length === 0) return { pdf: first, warnings, appended };
  const title = mail.header.subject.slice(0, 300) || "E-mail";
  const { outputs } = await rewritePdf(mergeFiles, {
    inputs: [first, ...pages.map(({ file }) => file)],
    options: { titles: [title, ...pages.map((page) => page.title)] },
    work: request.work,
    signal: request.signal,
  });
  const [pdf] = outputs;
  if (!pdf) throw new Error("the worker wrote no PDF");
  return { pdf, warnings, appended };
}

type Outcome =
  | { readonly pdf: WorkFile; readonly warnings: readonly string[] }
  | { readonly problem: string };

async function toPages(file: InputFile, request: AppendRequest, depth: number): Promise<Outcome> {
  const { id } = file.type;
  const isMail = id === "eml" || id === "msg";
  const isPrinted = isMail || id === "html";
  if (!isPrinted && !convertsToPdf(id)) return { problem: "has no pages" };
  if (++request.counter.appended > maxAppended || depth >= maxDepth) {
    return { problem: "is one of too many" };
  }
  try {
    if (isPrinted) return await printAttached(file, request, depth);
    return { pdf: await checkedPdf(file, request), warnings: [] };
  } catch (error) {
    // Damaged, encrypted or too complex: the other attachments and the e-mail are still printed.
    if (!(error instanceof JobError) || error.fault !== "caller") throw error;
    return { problem: error.code === "encrypted" ? "is encrypted" : "cannot be converted" };
  }
}

async function printAttached(file: InputFile, request: AppendRequest, depth: number) {
  const options = { loadsRemote: request.loadsRemote, writesAttachments: true };
  const mail = await printMail(file, options, request.work, request.signal);
  return appendAttachments(mail, request, depth + 1);
}

/** A PDF with pages. One that was attached may be damaged, which merging would not survive. */
async function checkedPdf(file: InputFile, { work, signal }: AppendRequest): Promise<WorkFile> {
  const pdf = await fileToPdf(file, work, signal);
  if (file.type.id !== "pdf") return pdf;
  const { outputs } = await rewritePdf(mergeFiles, {
    inputs: [pdf],
    options: { titles: [""] },
    work,
    signal,
  });
  return outputs[0] ?? pdf;
}

async function embed(
  pdf: WorkFile,
  attachments: readonly Attachment[],
  { work, signal }: AppendRequest,
): Promise<WorkFile> {
  const { outputs } = await callInWorker(embedFiles, {
    files: [pdf, ...attachments.flatMap(({ file }) => file ?? [])],
    options: { files: attachments.map(({ name, mime }) => ({ name, mime })) },
    work,
    signal,
  });
  return outputs[0] ?? pdf;
}

/** A file name in a warning. */
function quote(name: string): string {
  return `“${name.slice(0, 100)}”`;
}
