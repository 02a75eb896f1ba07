/** An e-mail, in the same form for all formats. */

export interface MailAttachment {
  /** The name that the sender gave it, which is never used for paths. */
  readonly name: string;
  readonly mime: string;
  /** The id without angle brackets, to which the HTML refers as `cid:…`. */
  readonly contentId: string | undefined;
  readonly content: Uint8Array;
}

export interface Mail {
  /** Addresses for people, such as `Ann <ann@example.com>`. */
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** The date as the sender wrote it, or in UTC; empty if there is none. */
  readonly date: string;
  readonly subject: string;
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly attachments: readonly MailAttachment[];
}

/** A number of attachments that no e-mail of a person has. */
export const maxAttachments = 500;

/** The attachment that the `src` of an image names. */
export function findInline(mail: Mail, source: string): MailAttachment | undefined {
  if (!/^cid:/i.test(source)) return undefined;
  const id = decodeSafely(source.slice(4));
  return mail.attachments.find(({ contentId }) => contentId === id);
}

/** The attachments that the HTML does not show. */
export function listAttached(mail: Mail): MailAttachment[] {
  const html = mail.html ?? "";
  return mail.attachments.filter(({ contentId, mime }) => {
    if (contentId === undefined || !mime.startsWith("image/")) return true;
    return (
      !html.includes(`cid:${contentId}`) && !html.includes(`cid:${encodeURIComponent(contentId)}`)
    );
  });
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
