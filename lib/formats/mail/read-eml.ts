import PostalMime, { type Address, type Email } from "postal-mime";
import { JobError } from "#lib/errors.ts";
import { type Mail, maxAttachments } from "./mail.ts";

/** Nested parts and bytes of headers; real e-mails have far less. */
const limits = { maxNestingDepth: 64, maxHeadersSize: 1024 * 1024 } as const;

/** Reads an e-mail (RFC 5322). Forwarded e-mails are attachments. Throws `JobError`. */
export async function readEml(bytes: Buffer): Promise<Mail> {
  const email = await parse(withoutMailbox(bytes));
  if (email.headers.length === 0) throw new JobError("corrupt", "The file is not an e-mail.");
  if (email.attachments.length > maxAttachments) {
    throw new JobError("too_complex", `E-mails may have at most ${maxAttachments} attachments.`);
  }
  return {
    from: formatAddresses(email.from ? [email.from] : email.sender ? [email.sender] : []),
    to: formatAddresses(email.to),
    cc: formatAddresses(email.cc),
    date: readDate(email),
    subject: clean(email.subject ?? ""),
    html: email.html,
    text: email.text,
    attachments: email.attachments.map((attachment, index) => ({
      name: clean(attachment.filename ?? "") || defaultName(attachment.mimeType, index),
      mime: attachment.mimeType,
      contentId: attachment.contentId?.replace(/^<|>$/g, ""),
      content: toBytes(attachment.content),
    })),
  };
}

async function parse(bytes: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true, ...limits });
  } catch (cause) {
    throw new JobError("too_complex", "The parts of the e-mail are nested too deeply.", { cause });
  }
}

/** The first e-mail of a mailbox (mbox) begins after a line of its own. */
function withoutMailbox(bytes: Buffer): Buffer {
  const isMailbox = bytes.toString("latin1", 0, 5) === "From ";
  return isMailbox ? bytes.subarray(bytes.indexOf(0x0a) + 1) : bytes;
}

function toBytes(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
}

/** The date of the sender's clock, without its comments. */
function readDate({ headers, date }: Email): string {
  const raw = headers.find(({ key }) => key === "date")?.value ?? date ?? "";
  return clean(raw.replace(/\([^()]*\)/g, "")).slice(0, 100);
}

function formatAddresses(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((one) => (one.group ? one.group : [one]))
    .map(({ name, address }) => formatAddress(clean(name), clean(address ?? "")))
    .filter((text) => text !== "")
    .join(", ");
}

/** A name with its address; only the address if the name is the same. */
export function formatAddress(name: string, address: string): string {
  if (name === "" || name === address) return address;
  return address === "" ? name : `${name} <${address}>`;
}

/** One line without control characters. */
export function clean(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

function defaultName(mime: string, index: number): string {
  if (mime === "message/rfc822") return `forwarded-${index + 1}.eml`;
  const extension = mime === "text/calendar" ? "ics" : mime.split("/")[1]?.replace(/\W.*/, "");
  return `attachment-${index + 1}.${extension || "bin"}`;
}
