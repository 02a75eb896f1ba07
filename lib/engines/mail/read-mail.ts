import { open } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Mail } from "./mail.ts";
import { readEml } from "./read-eml.ts";
import { readMsg } from "./read-msg.ts";

/** The parsers hold the e-mail in memory several times. */
const maxBytes = 100e6;

/** Reads an EML or MSG file. In a sandboxed worker only. Throws `JobError` (`corrupt`, `too_complex`). */
export async function readMail(path: string, type: MediaTypeId): Promise<Mail> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new JobError("too_complex", "E-mails may have at most 100 MB.");
    const bytes = await file.readFile();
    return type === "msg" ? readMsg(bytes) : await readEml(bytes);
  } finally {
    await file.close();
  }
}
