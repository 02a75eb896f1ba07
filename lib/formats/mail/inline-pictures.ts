import type { Mail, MailAttachment } from "./mail.ts";

/** The pictures of an e-mail that its HTML shows. */

/** Larger pictures are left out, so that the page stays small enough for the browser. */
const maxInlineBytes = 20e6;

/** The part of an e-mail to which a URL refers. */
export function findInline(mail: Mail, source: string): MailAttachment | undefined {
  if (!/^cid:/i.test(source)) return undefined;
  const id = decodeSafely(source.slice(4));
  return mail.attachments.find(({ contentId }) => contentId === id);
}

/** The start of the files that browsers draw, by their type. */
const signatures: readonly (readonly [type: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  ["image/avif", /^.{4}ftypavi[fs]/s],
  ["image/bmp", /^BM/],
];

/** The type of a part that browsers draw. Some programs state none. */
function pictureType({ mime, content }: MailAttachment): string | undefined {
  if (mime === "image/svg+xml") return mime;
  if (!mime.startsWith("image/") && mime !== "application/octet-stream") return undefined;
  const start = Buffer.from(content.subarray(0, 16)).toString("latin1");
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}

/** Limited, so that no HTML takes long. */
const space = "\\s{0,20}";
const quotes = `(?:["']|&quot;|&#39;|&apos;)?`;
const end = `["'\\s)>]|&quot;|&#39;|&apos;`;
const references = new RegExp(
  `(?:(?:src|background)${space}=${space}|url\\(${space})${quotes}${space}(cid:(?:(?!${end}).){1,1000})`,
  "gi",
);

/** The parts that the HTML shows as pictures, with their types. */
export function findPictures(mail: Mail): Map<MailAttachment, string> {
  const pictures = new Map<MailAttachment, string>();
  let bytes = 0;
  for (const [, source = ""] of (mail.html ?? "").matchAll(references)) {
    const part = findInline(mail, source.replaceAll("&amp;", "&"));
    const type = part && pictureType(part);
    if (!type) continue;
    bytes += part.content.length;
    if (bytes <= maxInlineBytes) pictures.set(part, type);
  }
  return pictures;
}

/** The attachments that the HTML does not show. */
export function listAttached(mail: Mail): MailAttachment[] {
  const pictures = findPictures(mail);
  return mail.attachments.filter((part) => !pictures.has(part));
}

/** The URL of the picture to which `source` refers, with its content; undefined if it has none. */
export type PictureUrl = (source: string) => string | undefined;

/** Pictures of `mail` as data URIs. */
export function pictureUrls(mail: Mail): PictureUrl {
  const pictures = findPictures(mail);
  return (source) => {
    const part = findInline(mail, source);
    const type = part && pictures.get(part);
    if (!type) return undefined;
    return `data:${type};base64,${Buffer.from(part.content).toString("base64")}`;
  };
}

/** Styles with the pictures to which they refer. */
export function embedInStyles(styles: string, urlOf: PictureUrl): string {
  return styles.replace(
    /url\(\s{0,20}(["']?)\s{0,20}(cid:[^"')]{1,1000}?)\s{0,20}\1\s{0,20}\)/gi,
    (all, _quote, source) => {
      const url = urlOf(source);
      return url ? `url("${url}")` : all;
    },
  );
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
