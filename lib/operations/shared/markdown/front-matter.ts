/** The properties at the top of a Markdown document. */
export interface FrontMatter {
  readonly title?: string;
  readonly subtitle?: string;
  readonly author?: string;
  readonly date?: string;
  readonly subject?: string;
  readonly keywords?: string;
  /** A language tag (BCP 47). */
  readonly lang?: string;
}

const names: Readonly<Record<string, keyof FrontMatter>> = {
  title: "title",
  subtitle: "subtitle",
  author: "author",
  authors: "author",
  date: "date",
  subject: "subject",
  description: "subject",
  keywords: "keywords",
  tags: "keywords",
  lang: "lang",
  language: "lang",
};

const maxLength = 2000;

/**
 * Splits a document into its front matter and its text. Only simple YAML is read: `name: value`, and
 * lists of text.
 */
export function splitFrontMatter(text: string): { matter: FrontMatter; body: string } {
  const match = /^\ufeff?---[ \t]*\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  const block = match?.[1] ?? "";
  // A rule and a heading at the start of a document look alike.
  if (!match || !/^[A-Za-z_][\w-]*[ \t]*:/m.test(block)) return { matter: {}, body: text };
  const matter: Partial<Record<keyof FrontMatter, string>> = {};
  let name: keyof FrontMatter | undefined;
  for (const line of block.split("\n")) {
    const [, key, value = ""] = /^([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)$/s.exec(line) ?? [];
    const [, item] = /^[ \t]*-[ \t]+(.*)$/s.exec(line) ?? [];
    if (key) {
      name = Object.hasOwn(names, key.toLowerCase()) ? names[key.toLowerCase()] : undefined;
      if (name && value) matter[name] = readValue(value);
    } else if (name && item) {
      const previous = matter[name];
      matter[name] = [...(previous ? [previous] : []), readValue(item)].join(", ");
    }
  }
  return { matter, body: text.slice(match[0].length) };
}

function readValue(text: string): string {
  const trimmed = text.trim().slice(0, maxLength);
  const list = /^\[(.*)\]$/.exec(trimmed)?.[1];
  return list === undefined ? unquote(trimmed) : list.split(",").map(unquote).join(", ");
}

function unquote(text: string): string {
  const [, , quoted] = /^(["'])(.*)\1$/.exec(text.trim()) ?? [];
  return quoted ?? text.trim();
}
