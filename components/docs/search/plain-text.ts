import { lexer, type Token, type Tokens } from "marked";

/** A heading with what follows it, up to the next one. */
export interface Section {
  readonly title: string;
  /** Its paragraphs, lists and tables, without Markdown. */
  readonly prose: string;
  /** Its code, and the labels of it. */
  readonly code: string;
}

/** The sections of a Markdown text. What is before the first heading of depth 2 or 3 belongs to a section without title. */
export function readSections(markdown: string): Section[] {
  const groups: { title: string; tokens: Token[] }[] = [{ title: "", tokens: [] }];
  for (const token of lexer(markdown)) {
    if (isHeading(token)) {
      if (token.depth > 1) groups.push({ title: plainText([token]), tokens: [] });
    } else groups.at(-1)?.tokens.push(token);
  }
  return groups.map(({ title, tokens }) => ({
    title,
    prose: plainText(tokens.filter((token) => !isCode(token))),
    code: onOneLine(tokens.filter(isCode).map(textOfCode)),
  }));
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

function textOfCode({ lang = "", text }: Tokens.Code): string {
  return `${lang.split(" | ")[1] ?? ""} ${text}`;
}

/** The text that a reader sees, on one line. */
function plainText(tokens: readonly Token[]): string {
  return onOneLine(tokens.map(textOf));
}

function onOneLine(texts: readonly string[]): string {
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

function textOf(token: Token): string {
  switch (token.type) {
    case "html":
    case "space":
    case "hr":
    case "checkbox":
      return "";
    case "list":
      // The union of tokens has one for unknown types, which has every name.
      return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(" ");
    case "table":
      return textOfTable(token as Tokens.Table);
    case "br":
      return " ";
    default:
      return "tokens" in token && token.tokens
        ? token.tokens.map(textOf).join("")
        : decodeReferences("text" in token ? token.text : token.raw);
  }
}

/** Each row as a sentence, because the cells of a long table say nothing without their order. */
function textOfTable({ rows }: Tokens.Table): string {
  const textOfCell = ({ tokens }: Tokens.TableCell) => tokens.map(textOf).join("");
  return rows.map((row) => `${row.map(textOfCell).join(", ")};`).join(" ");
}

/** The character references that marked writes in its texts. */
const references: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function decodeReferences(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => references[found] ?? found);
}
