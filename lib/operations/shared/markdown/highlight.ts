import type { HighlighterCore } from "shiki/core";

/** Colors of code blocks. */

/** Longer blocks, and blocks after this number of characters, have no colors. */
const maxBlockLength = 50_000;
const maxTotalLength = 500_000;
const maxLineLength = 2000;

const theme = "github-light-default";

/** Returns the HTML of the code; undefined if its language is unknown or it is too long. */
export type Highlight = (code: string, language: string) => string | undefined;

/** Loads the grammars of `languages`, as far as they exist. */
export async function createHighlight(languages: ReadonlySet<string>): Promise<Highlight> {
  if (languages.size === 0) return () => undefined;
  const { bundledLanguages } = await import("shiki/langs");
  const known = [...languages].filter((name) => Object.hasOwn(bundledLanguages, name));
  if (known.length === 0) return () => undefined;
  const shiki = await openHighlighter();
  // `known` has only names of the object.
  for (const name of known) {
    await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  }
  let total = 0;
  return (code, language) => {
    if (!known.includes(language) || code.length > maxBlockLength) return undefined;
    total += code.length;
    if (total > maxTotalLength) return undefined;
    const options = { lang: language, theme, tokenizeMaxLineLength: maxLineLength };
    return shiki.codeToHtml(code, { ...options, structure: "inline" });
  };
}

let highlighter: Promise<HighlighterCore> | undefined;

function openHighlighter(): Promise<HighlighterCore> {
  highlighter ??= Promise.all([import("shiki/core"), import("shiki/engine/javascript")]).then(
    ([{ createHighlighterCore }, { createJavaScriptRegexEngine }]) =>
      createHighlighterCore({
        engine: createJavaScriptRegexEngine({ forgiving: true }),
        themes: [import("shiki/themes/github-light-default.mjs")],
        langs: [],
      }),
  );
  return highlighter;
}
