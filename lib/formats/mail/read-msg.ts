import MsgReaderModule, { type FieldsData } from "@kenjiuno/msgreader";
import { JobError } from "#lib/errors.ts";
import { type Mail, type MailAttachment, maxAttachments } from "./mail.ts";
import { clean, formatAddress } from "./read-eml.ts";

/** The package is a CommonJS module, whose class is its `default`. */
const MsgReader = (
  "default" in MsgReaderModule ? MsgReaderModule.default : MsgReaderModule
) as typeof MsgReaderModule;

/** Reads an Outlook e-mail (MS-OXMSG). Throws `JobError("corrupt")`. */
export function readMsg(bytes: Buffer): Mail {
  const { reader, fields } = openMsg(bytes);
  const { attachments = [], recipients = [] } = fields;
  if (attachments.length > maxAttachments) {
    throw new JobError("too_complex", `E-mails may have at most ${maxAttachments} attachments.`);
  }
  const list = (type: string) =>
    recipients
      .filter((recipient) => (recipient.recipType ?? "to") === type)
      .map(({ name, smtpAddress, email }) => format(name, smtpAddress ?? email))
      .join(", ");
  const { senderName, senderSmtpAddress, senderEmail } = fields;
  return {
    from: format(senderName, senderSmtpAddress ?? senderEmail),
    to: list("to"),
    cc: list("cc"),
    date: clean(fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? ""),
    subject: clean(fields.subject ?? ""),
    html: readHtml(fields),
    text: fields.body,
    attachments: attachments.map((attachment, index) => readAttachment(reader, attachment, index)),
  };
}

/** The package reads without checks, so any error of it can come from damaged bytes. */
function openMsg(bytes: Buffer) {
  try {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    const fields = reader.getFileData();
    if (fields.error) throw new Error(fields.error);
    return { reader, fields };
  } catch (cause) {
    throw damaged(cause);
  }
}

function openAttachment(reader: MsgReaderModule, attachment: FieldsData) {
  try {
    return reader.getAttachment(attachment);
  } catch (cause) {
    throw damaged(cause);
  }
}

const damaged = (cause: unknown) => new JobError("corrupt", "The e-mail is damaged.", { cause });

/** The name of a sender in an Exchange organization may come with an address of X.500. */
function format(name = "", address = ""): string {
  return formatAddress(clean(name), address.startsWith("/") ? "" : clean(address));
}

function readAttachment(
  reader: MsgReaderModule,
  attachment: FieldsData,
  index: number,
): MailAttachment {
  const { fileName, content } = openAttachment(reader, attachment);
  const isMail = attachment.innerMsgContent === true;
  const name = clean(
    fileName || attachment.fileName || attachment.name || `attachment-${index + 1}`,
  );
  return {
    name: isMail && !/\.msg$/i.test(name) ? `${name}.msg` : name,
    mime: isMail ? "application/vnd.ms-outlook" : (attachment.attachMimeTag ?? guessMime(name)),
    contentId: attachment.pidContentId?.replace(/^<|>$/g, "") || undefined,
    content,
  };
}

/** The type of a picture in the text; other attachments are recognized by their content. */
function guessMime(name: string): string {
  const extension = /\.(png|jpe?g|gif|webp)$/i.exec(name)?.[1]?.toLowerCase();
  return extension ? `image/${extension.replace("jpg", "jpeg")}` : "application/octet-stream";
}

function readHtml({ bodyHtml, html, internetCodepage }: FieldsData): string | undefined {
  if (bodyHtml) return bodyHtml;
  if (!html || html.length === 0) return undefined;
  return decode(html, internetCodepage);
}

/** Encodings by the number that Windows has for them; the others are those of Windows itself. */
const encodings: Readonly<Record<number, string>> = {
  65001: "utf-8",
  20127: "utf-8",
  28591: "iso-8859-1",
  28592: "iso-8859-2",
  28595: "iso-8859-5",
  28605: "iso-8859-15",
  20866: "koi8-r",
  932: "shift_jis",
  50220: "iso-2022-jp",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
};

function decode(bytes: Uint8Array, codepage = 65001): string {
  const label = encodings[codepage] ?? `windows-${codepage}`;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
