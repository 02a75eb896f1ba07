import { JobError } from "#lib/errors.ts";
import { openRegular } from "#lib/files/regular-files.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { decodeText } from "../office/text-import.ts";
import { hasValidDirectory } from "../ole/ole.ts";
import type { Mail } from "./mail.ts";
import { readEml } from "./read-eml.ts";
import { readMsg } from "./read-msg.ts";

/** The parsers hold the e-mail in memory several times. */
const maxBytes = 100e6;

/** Reads an EML or MSG file, or an HTML file as the body of an e-mail without header. In a sandboxed worker only. Throws `JobError` (`corrupt`, `too_complex`). */
export async function readMail(path: string, type: MediaTypeId): Promise<Mail> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new JobError("too_complex", "E-mails may have at most 100 MB.");
    const bytes = await file.readFile();
    if (type === "html") return wrapPage(bytes);
    if (type === "eml") return await readEml(bytes);
    if (!(await hasValidDirectory(bytes))) throw new JobError("corrupt", "The e-mail is damaged.");
    return readMsg(bytes);
  } finally {
    await file.close();
  }
}

function wrapPage(bytes: Buffer): Mail {
  const header = { from: "", to: "", cc: "", date: "", subject: "" };
  return { ...header, html: decodeText(bytes), text: undefined, attachments: [] };
}
