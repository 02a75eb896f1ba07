/**
 * The parts of an uncompressed stream that may be text of the document, in lower case, one character per byte.
 * Left out is what every PDF contains: the names in a content stream such as `/Figure`, the syntax of
 * the table from glyphs to characters, of which the characters stay, and color profiles.
 */
export function textOfStream(content: Buffer): string {
  if (content.toString("latin1", 36, 40) === "acsp") return "";
  const text = content.toString("latin1");
  return (text.includes("begincmap") ? charactersOf(text) : withoutNames(text)).toLowerCase();
}

/** The characters to which a table maps glyphs, as UTF-16. */
function charactersOf(table: string): string {
  return [...table.matchAll(/<([0-9a-f\s]*)>/gi)]
    .map(([, digits = ""]) => Buffer.from(digits.replaceAll(/\s/g, ""), "hex").toString("latin1"))
    .join("\n");
}

const nameEnd = /[\s()<>[\]{}/%]/;

/** Returns the text without names, which begin with a slash, but for those within strings. */
function withoutNames(text: string): string {
  const kept: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\" && depth > 0) at++;
    else if (character === "(") depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (character === "/" && depth === 0) {
      kept.push(text.slice(start, at));
      while (at + 1 < text.length && !nameEnd.test(text[at + 1] ?? "")) at++;
      start = at + 1;
    }
  }
  kept.push(text.slice(start));
  return kept.join(" ");
}
