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

/** HTML of the highlighted code, without a frame. `light-dark()` selects between the two themes. */
export async function highlight(code: string, language: CodeLanguage): Promise<string> {
  const shiki = await openHighlighter();
  return shiki.codeToHtml(code, {
    lang: language,
    themes: { light: "github-light-default", dark: "github-dark-default" },
    defaultColor: "light-dark()",
    structure: "inline",
  });
}
