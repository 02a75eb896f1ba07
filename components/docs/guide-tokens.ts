import { lexer, type Token } from "marked";
import type { Guide } from "./guides.ts";

const parsed = new WeakMap<Guide, readonly Token[]>();

/** The text of a guide, parsed once per process: it is the same for every request. */
export function readTokens(guide: Guide): readonly Token[] {
  const tokens = parsed.get(guide) ?? lexer(guide.text);
  parsed.set(guide, tokens);
  return tokens;
}
