import { Marked, type Token, type Tokens } from "marked";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/code/code-block.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { type CodeLanguage, codeLanguages } from "#components/code/highlight.ts";
import { headingId } from "./headings.ts";

const marked = new Marked({
  renderer: {
    // A character, because these checkboxes are read-only.
    checkbox: ({ checked }) => `<span aria-hidden="true">${checked ? "☑" : "☐"}</span> `,
    heading({ tokens, depth, text }) {
      const id = headingId(text);
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${id}"><a href="#${id}" class="no-underline hover:underline font-inherit !text-inherit">${inner}</a></h${depth}>`;
    },
  },
});

interface MarkdownProps {
  /** Trusted Markdown, whose HTML is not sanitized. */
  readonly tokens: readonly Token[];
  /** Replacements for comments such as `<!-- plans -->`, by name. */
  readonly inserts?: Readonly<Record<string, ReactNode>>;
}

/** Markdown with highlighted code. Adjacent code blocks with labels become tabs. */
export function Markdown({ tokens, inserts = {} }: MarkdownProps) {
  return (
    <div className="prose max-w-none prose-headings:font-semibold prose-headings:tracking-tight prose-h2:mt-12 prose-code:font-medium prose-code:before:content-none prose-code:after:content-none">
      {groupTokens(tokens).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes.
        <Block key={index} tokens={group} inserts={inserts} />
      ))}
    </div>
  );
}

interface BlockProps {
  readonly tokens: readonly Token[];
  readonly inserts: Readonly<Record<string, ReactNode>>;
}

function Block({ tokens, inserts }: BlockProps): ReactNode {
  const [first] = tokens;
  if (!first) return null;
  if (isCode(first)) {
    const blocks = tokens.filter(isCode).map((token) => {
      const { language, label } = readInfo(token);
      return { label, code: <CodeBlock code={token.text} language={language} isPublic /> };
    });
    return (
      <div className="not-prose my-5">
        {blocks.length === 1 ? blocks[0]?.code : <CodeTabs blocks={blocks} />}
      </div>
    );
  }
  const name = /^<!-- ([a-z-]+) -->\s*$/.exec(first.raw)?.[1];
  if (first.type === "html" && name) return <div className="not-prose my-5">{inserts[name]}</div>;
  const html = toHtml(first);
  if (first.type === "table") {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      <section className="overflow-x-auto" aria-label="Table" tabIndex={0}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text. */}
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </section>
    );
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text.
  return <div className="contents" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The HTML of tokens, which are the same for every request. */
const parsed = new WeakMap<Token, string>();

function toHtml(token: Token): string {
  const html = parsed.get(token) ?? marked.parser([token]);
  parsed.set(token, html);
  return html;
}

/** Groups adjacent code blocks that have labels. */
function groupTokens(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.type === "space") continue;
    const last = groups.at(-1);
    const before = last?.at(-1);
    const joins =
      isCode(token) && before && isCode(before) && readInfo(before).label && readInfo(token).label;
    if (joins) last?.push(token);
    else groups.push([token]);
  }
  return groups;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

/** Splits "typescript | TypeScript" into language and label. */
function readInfo({ lang = "" }: Tokens.Code): { language: CodeLanguage; label: string } {
  const [name, label = ""] = lang.split("|").map((part) => part.trim());
  return { language: codeLanguages.find((known) => known === name) ?? "bash", label };
}
