import { posix } from "node:path";
import { JobError } from "#lib/errors.ts";
import { findTags, tagAttribute } from "./xml-tags.ts";

/**
 * Rejects a book with DRM, which lists its chapters as encrypted; fonts may be obfuscated in any book.
 * `encryption`: the text of `META-INF/encryption.xml`, undefined if the book has none. `chapters`: their
 * normalized paths in the archive. Throws `JobError` `encrypted`.
 */
export function rejectEncryptedBook(encryption: string | undefined, chapters: readonly string[]) {
  const encrypted = findTags(encryption ?? "", "CipherReference").map((tag) =>
    posix.normalize(decodePath(tagAttribute(tag, "URI"))),
  );
  if (!encrypted.some((path) => chapters.includes(path))) return;
  throw new JobError("encrypted", "The book is protected (DRM).");
}

/** The path that a URL in a book means; itself if it is badly encoded. */
export function decodePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
