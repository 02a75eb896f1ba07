import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** The languages that can be highlighted. */
export const codeLanguages = [
  "bash",
  "json",
  "typescript",
  "python",
  "go",
  "html",
  "yaml",
] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

let highlighter: Promise<HighlighterCore> | undefined;

function openHighlighter(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    engine: createJavaScriptRegexEngine(),
    themes: [
      import("shiki/themes/github-light-default.mjs"),
      import("shiki/themes/github-dark-default.mjs"),
    ],
    langs: [
      import("shiki/langs/bash.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/python.mjs"),
      import("shiki/langs/go.mjs"),
      import("shiki/langs/html.mjs"),
      import("shiki/langs/yaml.mjs"),
    ],
  });
  return highlighter;
}

/** The HTML of the public code that was highlighted last, by language and code, the latest at the end. */
const highlighted = new Map<string, string>();

/** How many characters of code and HTML are kept: more than all pages of the docs have. */
const maxKeptCharacters = 12_000_000;

let keptCharacters = 0;

/**
 * Highlights code that is the same for all visitors, such as that of the docs. Its HTML is kept for the next request:
 * highlighting takes longer than everything else of a page of the docs.
 */
export async function highlightPublic(code: string, language: CodeLanguage): Promise<string> {
  const key = `${language} ${code}`;
  const html = highlighted.get(key) ?? (await highlight(code, language));
  if (!highlighted.delete(key)) keptCharacters += key.length + html.length;
  highlighted.set(key, html);
  for (const [oldest, { length }] of highlighted) {
    if (keptCharacters <= maxKeptCharacters) break;
    highlighted.delete(oldest);
    keptCharacters -= oldest.length + length;
  }
  return html;
}

/**
 * HTML of the highlighted code, without a frame. `light-dark()` selects between the two themes. Nothing is kept, because
 * the code may be private.
 */
export async function highlight(code: string, language: CodeLanguage): Promise<string> {
  const shiki = await openHighlighter();
  return shiki.codeToHtml(code, {
    lang: language,
    themes: { light: "github-light-default", dark: "github-dark-default" },
    defaultColor: "light-dark()",
    structure: "inline",
  });
}
