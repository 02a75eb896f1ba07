import type { Inline } from "./model.ts";

/**
 * Returns the inlines without space at the ends and next to line breaks, and without empty pieces.
 */
export function trimInlines(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  let afterSpace = true;
  for (const inline of inlines) {
    if (inline.kind === "picture") {
      result.push(inline);
      afterSpace = false;
      continue;
    }
    const text = afterSpace ? inline.text.replace(/^ +/, "") : inline.text;
    if (text === "") continue;
    result.push({ ...inline, text });
    afterSpace = /[ \n]$/.test(text);
  }
  for (let last = result.at(-1); last?.kind === "text"; last = result.at(-1)) {
    const text = last.text.replace(/(?<![ \n])[ \n]+$/, "");
    result.pop();
    if (text === "") continue;
    result.push({ ...last, text });
    break;
  }
  return result;
}
