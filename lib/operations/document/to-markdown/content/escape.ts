/**
 * Text as Markdown (CommonMark with the tables and strikethrough of GitHub). Only what would change its
 * meaning is escaped, so that the result reads like the text.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
      // Not markup where it stands between spaces, as in 2 * 3.
      .replace(/(?<!\s|^)\*|\*(?!\s|$)/g, "\\*")
      // Within a word, as in snake_case, it is no emphasis.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/`/g, "\\`")
      .replace(/~~/g, "\\~~")
      // A link, a footnote, an image, or the box of a task.
      .replace(/\[(?=[^\]]{0,200}\](?:[([:]))/g, "\\[")
      .replace(/\[(?=\^|[ xX]\](?:\s|$))/g, "\\[")
      // HTML, and references to characters.
      .replace(/<(?=[a-z/!?])/gi, "\\<")
      .replace(/&(?=#?\w{1,30};)/g, "\\&")
      // A heading, a quote, an item, a rule or an underline at the start of a line.
      .replace(/^(#{1,6})(?=\s|$)/gm, "\\$1")
      .replace(/^([-+>])(?=\s|$)/gm, "\\$1")
      .replace(/^(=+|-{2,})(?=\s*$)/gm, "\\$1")
      .replace(/^(\d{1,9})([.)])(?=\s)/gm, "$1\\$2")
  );
}

/** The URL of a link or an image, between the parentheses. */
export function escapeUrl(url: string): string {
  return url.replace(/[\s<>()\\`]/g, (character) => {
    const hex = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, "0"));
    return hex.map((digits) => `%${digits.toUpperCase()}`).join("");
  });
}

/** The URL if it is one that a reader can follow, not a script; undefined otherwise. */
export function safeUrl(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them within a URL
  const plain = url.replace(/[\u0000-\u001f]/g, "").trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
  const isSafe = !scheme || /^(https?|mailto|tel|ftp)$/.test(scheme);
  return isSafe && plain !== "" && plain.length <= 8192 ? plain : undefined;
}
