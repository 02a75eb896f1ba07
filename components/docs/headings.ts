import type { Token, Tokens } from "marked";

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A heading's anchor: `Use a key` → `use-a-key`. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The second-level headings of a guide. */
export function readHeadings(tokens: readonly Token[]): Heading[] {
  return tokens
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .filter(({ depth }) => depth === 2)
    .map((token) => ({ id: headingId(token.text), text: token.text }));
}
