import { PDFDocument } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { listAttached } from "#lib/formats/mail/inline-pictures.ts";
import type { Mail } from "#lib/formats/mail/mail.ts";
import { makeMailPage } from "#lib/formats/mail/mail-page.ts";
import { readMail } from "#lib/formats/mail/read-mail.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { attachFiles, type NewAttachment } from "../../shared/pdf/attachments.ts";

/** Functions of a worker that read e-mails. */

export interface MailPageOptions {
  readonly type: MediaTypeId;
  readonly loadsRemote: boolean;
  /** Whether the attachments are written, after the page. */
  readonly writesAttachments: boolean;
}

/** Writes the page of an e-mail, or of an HTML file that was attached to one; see `makeMailPage`. */
export const writeMailPage = async ({ files, options, work }: WorkerCall<MailPageOptions>) => {
  const [file] = files;
  if (!file) throw new Error("no file");
  const mail = await readMail(file.path, options.type);
  const page = work.scratch("html");
  await writeNew(
    page.path,
    translateDepth(() => makeMailPage(mail, options.loadsRemote)),
  );
  const outputs = [page];
  const attachments = listAttached(mail);
  for (const { content } of options.writesAttachments ? attachments : []) {
    const output = work.scratch("bin");
    await writeNew(output.path, content);
    outputs.push(output);
  }
  const { from, to, cc, date, subject } = mail;
  const listed = attachments.map(({ name, mime }) => ({ name: name.slice(0, 255), mime }));
  const loads = !options.loadsRemote && refersToRemote(mail);
  return {
    outputs,
    result: { from, to, cc, date, subject, attachments: listed, omitsRemote: loads },
  };
};

function translateDepth<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    if (!exceedsProgramLimits(cause)) throw cause;
    throw new JobError("too_complex", "The e-mail is nested too deeply.", { cause });
  }
}

function refersToRemote({ html = "" }: Mail): boolean {
  return /(?:src|background)\s*=\s*(?:["']\s*)?https?:/i.test(html);
}

/** Embeds the further files in the PDF that is the first; `names` are theirs. */
export const embedFiles = async ({
  files: [pdf, ...attached],
  options,
  work,
}: WorkerCall<{
  readonly files: readonly { readonly name: string; readonly mime: string }[];
}>) => {
  if (!pdf) throw new Error("no file");
  const document = await PDFDocument.load(await readRegular(pdf.path), { updateMetadata: false });
  const files: NewAttachment[] = [];
  const attachedAt = new Date();
  for (const [index, { path }] of attached.entries()) {
    const { name = `attachment-${index + 1}`, mime = "" } = options.files[index] ?? {};
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : "application/octet-stream";
    files.push({ bytes: await readRegular(path), name, type, attachedAt });
  }
  attachFiles(document, files);
  const output = work.scratch("pdf");
  await writeNew(output.path, await document.save({ useObjectStreams: false }));
  return { outputs: [output] };
};
