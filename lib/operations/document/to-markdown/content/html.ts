/**
 * The simple HTML that all readers of documents produce, from which Markdown is written: headings,
 * paragraphs, lists, tables, links, emphasis, code, images and page marks.
 */

import { equationHtml } from "#lib/formats/html/simple-elements.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";

/** How a run of text looks. */
export interface TextStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  readonly sup?: boolean;
  readonly sub?: boolean;
  readonly link?: string | undefined;
}

export interface StyledText extends TextStyle {
  readonly text: string;
  /** Its text is an equation as TeX, within a line or in a line of its own. */
  readonly equation?: "inline" | "display";
}

const elements = [
  ["code", "code"],
  ["sup", "sup"],
  ["sub", "sub"],
  ["strike", "del"],
  ["italic", "em"],
  ["bold", "strong"],
] as const;

/** Runs of text as HTML. Adjacent runs of the same style become one element. `\n` is a line break. */
export function renderRuns(runs: readonly StyledText[]): string {
  const merged: StyledText[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    const isSpace = run.text.trim() === "";
    const isEquation = last?.equation !== undefined || run.equation !== undefined;
    // A space has no look of its own, so it does not end bold text.
    if (last && !isEquation && (isSpace ? run.link === last.link : hasSameStyle(last, run))) {
      merged[merged.length - 1] = { ...last, text: last.text + run.text };
    } else if (run.text !== "") {
      merged.push(run);
    }
  }
  return merged.map(renderRun).join("");
}

/** The runs without white space at both ends. */
export function trimRuns(runs: readonly StyledText[]): StyledText[] {
  const kept = [...runs];
  for (let run = kept[0]; run; run = kept[0]) {
    const text = run.text.trimStart();
    if (text === "") kept.shift();
    else {
      kept[0] = { ...run, text };
      break;
    }
  }
  for (let run = kept.at(-1); run; run = kept.at(-1)) {
    const text = run.text.trimEnd();
    if (text === "") kept.pop();
    else {
      kept[kept.length - 1] = { ...run, text };
      break;
    }
  }
  return kept;
}

function hasSameStyle(a: StyledText, b: StyledText): boolean {
  return a.link === b.link && elements.every(([style]) => Boolean(a[style]) === Boolean(b[style]));
}

function renderRun(run: StyledText): string {
  if (run.equation) return equationHtml(run.text, run.equation === "display");
  let html = escapeHtml(run.text).replaceAll("\n", "<br>");
  for (const [style, name] of elements) if (run[style]) html = `<${name}>${html}</${name}>`;
  return run.link ? `<a href="${escapeHtml(run.link)}">${html}</a>` : html;
}
