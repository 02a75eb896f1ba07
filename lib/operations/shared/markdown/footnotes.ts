import type { MarkedExtension, Tokens } from "marked";
import { escapeHtml } from "#lib/formats/markup/escape.ts";

/** Footnotes: `text[^1]` and `[^1]: note`. */

interface Note {
  readonly label: string;
  readonly tokens: Tokens.Generic["tokens"];
  number?: number;
}

/**
 * Where the next `[^` is; undefined if there is none. The parser asks after each bracket, so a text of brackets alone
 * would be compared again and again. The second character is rare.
 */
function findReference(text: string): number | undefined {
  let at = text.indexOf("^");
  while (at >= 0 && text[at - 1] !== "[") at = text.indexOf("^", at + 1);
  return at < 0 ? undefined : at - 1;
}

/** The extension, and the function that renders the notes that the text refers to. */
export function createFootnotes(): {
  readonly extension: MarkedExtension;
  readonly renderNotes: (parse: (tokens: NonNullable<Note["tokens"]>) => string) => string;
} {
  const notes = new Map<string, Note>();
  const used: Note[] = [];
  const extension: MarkedExtension = {
    extensions: [
      {
        name: "footnoteDefinition",
        level: "block",
        start: (text) => /^\[\^[^\]\n]{1,100}\]:/m.exec(text)?.index,
        tokenizer(text) {
          const pattern =
            /^\[\^([^\]\n]{1,100})\]:[ \t]*((?:[^\n]*)(?:\n(?: {2,}|\t)[^\n]*)*)(?:\n|$)/;
          const match = pattern.exec(text);
          if (!match) return undefined;
          const [raw, label = "", body = ""] = match;
          const tokens = this.lexer.blockTokens(body.replaceAll(/\n(?: {2,4}|\t)/g, "\n"), []);
          if (!notes.has(label)) notes.set(label, { label, tokens });
          return { type: "footnoteDefinition", raw };
        },
        renderer: () => "",
      },
      {
        name: "footnoteReference",
        level: "inline",
        start: findReference,
        tokenizer(text) {
          const match = /^\[\^([^\]\n]{1,100})\]/.exec(text);
          return match ? { type: "footnoteReference", raw: match[0], label: match[1] } : undefined;
        },
        renderer({ raw, label }) {
          const note = notes.get(String(label));
          if (!note) return escapeHtml(raw);
          note.number ??= used.push(note);
          const { number } = note;
          return `<sup class="footnote-reference"><a id="reference-${number}" href="#footnote-${number}">${number}</a></sup>`;
        },
      },
    ],
  };
  const renderNotes = (parse: (tokens: NonNullable<Note["tokens"]>) => string) => {
    if (used.length === 0) return "";
    // A note may refer to further notes, which are added while the list is rendered.
    const items: string[] = [];
    for (const { tokens = [], number } of used) {
      items.push(`<li id="footnote-${number}">${parse(tokens)}</li>`);
    }
    return `<section class="footnotes"><ol>${items.join("\n")}</ol></section>`;
  };
  return { extension, renderNotes };
}
