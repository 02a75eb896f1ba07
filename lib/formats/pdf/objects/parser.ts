import { type PdfName, PdfRef, PdfString, type PdfValue } from "./values.ts";

/**
 * Parses values as qpdf writes them: without comments, names in one spelling, generations 0, and at most
 * 500 levels deep.
 */

/** The text ends within a value. More of the file must be read. */
export class IncompleteValueError extends Error {
  override readonly name = "IncompleteValueError";
}

const space = /[\s\0]*/y;
const reference = /(\d+) \d+ R(?![^\s\0()<>[\]{}/%])/y;
const number = /[+-]?(?:\d+\.?\d*|\.\d+)/y;
const name = /\/[^\s\0()<>[\]{}/%]*/y;
const hexadecimal = /<[0-9A-Fa-f\s]*>/y;
const keyword = /true|false|null/y;
const keywords: Readonly<Record<string, PdfValue>> = { true: true, false: false, null: null };

export class PdfParser {
  readonly #text: string;
  /** The index of the next character. */
  position: number;

  /** The constructor takes the text in Latin-1. */
  constructor(text: string, position = 0) {
    this.#text = text;
    this.position = position;
  }

  /** Throws `IncompleteValueError`, and other errors if the text is no value. */
  readValue(): PdfValue {
    this.#match(space);
    const next = this.#text[this.position];
    if (next === "<" && this.#text[this.position + 1] === "<") return this.#readDict();
    if (next === "[") return this.#readArray();
    if (next === "(") return this.#readString();
    if (next === "/") return this.#readName();
    if (next === "<") return new PdfString(this.#require(hexadecimal));
    const object = this.#match(reference)?.[1];
    if (object !== undefined) return new PdfRef(Number(object));
    const found = this.#match(number)?.[0];
    if (found !== undefined) return Number(found);
    return keywords[this.#require(keyword)] ?? null;
  }

  /** Whether `text` follows; then it is skipped. */
  skip(text: string): boolean {
    this.#match(space);
    const follows = this.#text.startsWith(text, this.position);
    if (follows) this.position += text.length;
    return follows;
  }

  #readDict(): PdfValue {
    this.position += 2;
    const dict: Record<PdfName, PdfValue> = {};
    while (!this.skip(">>")) {
      const key = this.#readName();
      const value = this.readValue();
      // An entry with null is as none (ISO 32000-1, 7.3.7).
      if (value !== null) dict[key] = value;
    }
    return dict;
  }

  #readArray(): PdfValue {
    this.position += 1;
    const items: PdfValue[] = [];
    while (!this.skip("]")) items.push(this.readValue());
    return items;
  }

  #readName(): PdfName {
    return this.#require(name) as PdfName; // the pattern begins with a slash
  }

  #readString(): PdfString {
    const start = this.position;
    for (let depth = 0, at = start; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "\\") at++;
      else if (character === "(") depth++;
      else if (character === ")" && --depth === 0) {
        this.position = at + 1;
        return new PdfString(this.#text.slice(start, this.position));
      }
    }
    throw new IncompleteValueError();
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#text);
    if (match) this.position = pattern.lastIndex;
    return match ?? undefined;
  }

  #require(pattern: RegExp): string {
    const match = this.#match(pattern);
    if (match) return match[0];
    const isNearEnd = this.#text.length - this.position < 8 || this.#text[this.position] === "<";
    if (isNearEnd) throw new IncompleteValueError();
    throw new SyntaxError(`no PDF value at ${this.position}`);
  }
}
