/** Bytes of the header that are read; it may begin with many long `Received` lines. */
const maxHeaderBytes = 16 * 1024;

/** One of these is in every e-mail, and seldom at the start of another text. */
const ownFields = /^(from|received|return-path|message-id|mime-version|delivered-to)$/;
/** Two fields of these make the header of an e-mail. */
const mailFields =
  /^(from|received|return-path|message-id|mime-version|delivered-to|to|cc|date|subject|sender|reply-to|content-type|content-transfer-encoding)$/;

/**
 * Whether a file begins with the header of an e-mail (RFC 5322, 2.2): lines of fields, up to an empty
 * line or as far as they are in `head`, among them two that e-mails have.
 */
export function isMail(head: Buffer): boolean {
  const start = head.toString("latin1", 0, maxHeaderBytes).replace(/^(\xef\xbb\xbf)?\s{0,9}/, "");
  // Mailboxes of the mbox format begin each e-mail with such a line.
  const lines = start.replace(/^From [^\n]{1,200}\n/, "").split(/\r?\n/);
  if (start.length > maxHeaderBytes - 16) lines.pop(); // cut off
  const names = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (line === "") break;
    if (index > 0 && /^[ \t]/.test(line)) continue;
    const name = /^([!-9;-~]{1,76})[ \t]{0,9}:/.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    if (mailFields.test(name)) names.add(name);
  }
  return names.size >= 2 && [...names].some((name) => ownFields.test(name));
}
