import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { createFootnotes } from "./footnotes.ts";
import { type FrontMatter, splitFrontMatter } from "./front-matter.ts";
import { createHighlight, type Highlight } from "./highlight.ts";

export interface RenderedMarkdown {
  /** The content of `body`. */
  readonly html: string;
  readonly matter: FrontMatter;
  /** That of the front matter, or the first heading of level 1. */
  readonly title: string;
}

/** Boxes that begin with `[!NOTE]`, as on GitHub. */
const alerts: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Important",
  WARNING: "Warning",
  CAUTION: "Caution",
};

/** Renders Markdown (CommonMark with the extensions of GitHub, footnotes and front matter) as HTML. */
export async function renderMarkdown(text: string): Promise<RenderedMarkdown> {
  const { matter, body } = splitFrontMatter(text);
  const footnotes = createFootnotes();
  const marked = new Marked({ gfm: true }, footnotes.extension);
  const tokens = marked.lexer(body);
  const languages = new Set<string>();
  const headings: Tokens.Heading[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === "code" && token.lang) languages.add(languageOf(token.lang));
    if (token.type === "heading") headings.push(token as Tokens.Heading);
  });
  marked.use({ renderer: createRenderer(await createHighlight(languages)) });
  const content = marked.parser(tokens);
  const notes = footnotes.renderNotes((note: Token[]) => marked.parser(note));
  const first = headings.find(({ depth }) => depth === 1);
  const title = matter.title ?? (first ? plainText(first.tokens) : "");
  const isTitled = first !== undefined && plainText(first.tokens) === title;
  return { html: `${renderTitle(matter, isTitled)}${content}${notes}`, matter, title };
}

/** A block with the title and its author; without the title if the text begins with it. */
function renderTitle(matter: FrontMatter, isTitled: boolean): string {
  const { title, subtitle, author, date } = matter;
  const byline = [author, date].filter((part) => part !== undefined).map(escapeHtml);
  const lines = [
    title && !isTitled ? `<h1>${escapeHtml(title)}</h1>` : "",
    subtitle ? `<p class="subtitle">${escapeHtml(subtitle)}</p>` : "",
    byline.length > 0 ? `<p class="byline">${byline.join(" · ")}</p>` : "",
  ].join("");
  return lines && `<header class="title">${lines}</header>`;
}

function createRenderer(highlight: Highlight) {
  const slugs = new Map<string, number>();
  return {
    heading(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Heading) {
      const { depth, tokens } = token;
      const id = uniqueSlug(plainText(tokens), slugs);
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code) {
      const html = lang ? highlight(text, languageOf(lang)) : undefined;
      return `<pre><code>${html ?? escapeHtml(text)}</code></pre>\n`;
    },
    blockquote(
      this: { parser: { parse(tokens: Token[]): string } },
      { tokens }: Tokens.Blockquote,
    ) {
      const html = this.parser.parse(tokens);
      const [start, kind = ""] = /^<p>\[!([A-Z]+)\]\s*(?:<br>)?\n?/.exec(html) ?? [];
      const label = Object.hasOwn(alerts, kind) ? alerts[kind] : undefined;
      if (!start || !label) return `<blockquote>${html}</blockquote>\n`;
      const content = `<p>${html.slice(start.length)}`.replace(/^<p><\/p>\n?/, "");
      return `<div class="alert ${kind.toLowerCase()}"><p class="label">${label}</p>${content}</div>\n`;
    },
    listitem(this: { parser: { parse(tokens: Token[]): string } }, item: Tokens.ListItem) {
      const content = this.parser.parse(item.tokens);
      return `<li${item.task ? ' class="task"' : ""}>${content}</li>\n`;
    },
    table(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
        `<tr>${cells.map((cell) => renderCell(this.parser.parseInline(cell.tokens), cell.align, tag)).join("")}</tr>`;
      const rows = token.rows.map((cells) => row(cells, "td")).join("\n");
      return `<table><thead>${row(token.header, "th")}</thead><tbody>${rows}</tbody></table>\n`;
    },
  };
}

function renderCell(html: string, align: string | null, tag: "th" | "td"): string {
  return `<${tag}${align ? ` style="text-align:${align}"` : ""}>${html}</${tag}>`;
}

/** The first word of the line after the three backticks, in lower case. */
function languageOf(info: string): string {
  return /^[^\s{,]*/.exec(info.trim())?.[0].toLowerCase() ?? "";
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ("tokens" in token && token.tokens ? plainText(token.tokens) : textOf(token)))
    .join("")
    .trim();
}

function textOf(token: Token): string {
  if (token.type === "html" || token.type === "footnoteReference") return "";
  return "text" in token ? token.text : "";
}

/** The id of a heading as on GitHub: `Two words` is `two-words`. */
function uniqueSlug(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
