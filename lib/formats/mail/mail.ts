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
