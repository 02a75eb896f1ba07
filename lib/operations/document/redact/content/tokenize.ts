import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** Splits a content stream (ISO 32000-1, 7.8.2) into operators with their operands. */

export interface Operand {
  /** The operand as it is in the stream. */
  readonly raw: string;
  readonly kind: "number" | "string" | "name" | "array" | "dictionary" | "other";
  /** The text of a string, one character for each byte, or of a name, without the slash. */
  readonly text: string;
  readonly items: readonly Operand[];
}

export interface Operation {
  readonly operator: string;
  readonly operands: readonly Operand[];
  /** All bytes of the operation, one character for each byte. */
  readonly raw: string;
}

const whitespace = /[\0\t\n\f\r ]/;
const maxDepth = 100;

/**
 * Splits a content stream into its operations. `content` has one character for each byte. Throws
 * for what is no content stream.
 */
export function* tokenize(content: string): Generator<Operation> {
  const reader = new Reader(content);
  let operands: Operand[] = [];
  let start = 0;
  for (;;) {
    reader.skipSpace();
    if (reader.atEnd) return;
    const operand = reader.readOperand(0);
    if (operand.kind !== "other" || /^(true|false|null)$/.test(operand.raw)) {
      operands.push(operand);
      if (operands.length > 10_000) throw new DamagedDataError("too many operands");
      continue;
    }
    const operator = operand.raw;
    if (operator === "BI") reader.skipInlineImage();
    yield { operator, operands, raw: content.slice(start, reader.position) };
    operands = [];
    start = reader.position;
  }
}

/** A name, number or operator. */
const word = /\/?[^\0\t\n\f\r ()<>[\]{}/%]*/y;

class Reader {
  readonly #content: string;
  position = 0;

  constructor(content: string) {
    this.#content = content;
  }

  get atEnd(): boolean {
    return this.position >= this.#content.length;
  }

  skipSpace(): void {
    while (!this.atEnd) {
      const character = this.#content[this.position] ?? "";
      if (character === "%") {
        while (!this.atEnd && !/[\r\n]/.test(this.#content[this.position] ?? "")) this.position++;
      } else if (whitespace.test(character)) this.position++;
      else return;
    }
  }

  readOperand(depth: number): Operand {
    if (depth > maxDepth) throw new DamagedDataError("operands are nested too deeply");
    const start = this.position;
    const character = this.#content[start] ?? "";
    const pair = this.#content.slice(start, start + 2);
    if (character === "(") return this.#finish(start, "string", this.#readLiteral());
    if (pair === "<<") return this.#readList(start, ">>", "dictionary", depth);
    if (character === "[") return this.#readList(start, "]", "array", depth);
    if (character === "<") return this.#finish(start, "string", this.#readHex());
    word.lastIndex = start;
    const text = word.exec(this.#content)?.[0] ?? "";
    this.position += Math.max(1, text.length);
    if (character === "/") return this.#finish(start, "name", decodeName(text.slice(1)));
    const isNumber = /^[+-]?[\d.]+-?\d*$/.test(text);
    return this.#finish(start, isNumber ? "number" : "other", text);
  }

  /** Moves behind `EI`, which is delimited by white space. */
  skipInlineImage(): void {
    const data = this.#content.indexOf("ID", this.position);
    const pattern = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g;
    pattern.lastIndex = data + 2;
    const end = data < 0 ? null : pattern.exec(this.#content);
    if (!end) throw new DamagedDataError("an inline image has no end");
    this.position = end.index + 3;
  }

  #finish(start: number, kind: Operand["kind"], text: string): Operand {
    return { raw: this.#content.slice(start, this.position), kind, text, items: [] };
  }

  #readList(start: number, end: string, kind: Operand["kind"], depth: number): Operand {
    const items: Operand[] = [];
    this.position += end.length;
    for (;;) {
      this.skipSpace();
      if (this.atEnd) throw new DamagedDataError("a list has no end");
      if (this.#content.startsWith(end, this.position)) break;
      items.push(this.readOperand(depth + 1));
    }
    this.position += end.length;
    return { raw: this.#content.slice(start, this.position), kind, text: "", items };
  }

  #readHex(): string {
    const end = this.#content.indexOf(">", this.position);
    if (end < 0) throw new DamagedDataError("a string has no end");
    const digits = this.#content.slice(this.position + 1, end).replace(/[^0-9A-Fa-f]/g, "");
    this.position = end + 1;
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex").toString("latin1");
  }

  #readLiteral(): string {
    const parts: string[] = [];
    let depth = 0;
    for (; !this.atEnd; this.position++) {
      const character = this.#content[this.position] ?? "";
      if (character === "\\") {
        parts.push(this.#readEscape());
        continue;
      }
      if (character === ")" && --depth === 0) {
        this.position++;
        return parts.join("");
      }
      if (character === "(" && ++depth === 1) continue;
      parts.push(character);
    }
    throw new DamagedDataError("a string has no end");
  }

  /** Leaves the position at the last character of the escape. */
  #readEscape(): string {
    const octal = /^[0-7]{1,3}/.exec(
      this.#content.slice(this.position + 1, this.position + 4),
    )?.[0];
    if (octal) {
      this.position += octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    }
    const character = this.#content[++this.position] ?? "";
    if (character === "\r") {
      if (this.#content[this.position + 1] === "\n") this.position++;
      return "";
    }
    return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "\n": "" }[character] ?? character;
  }
}

function decodeName(text: string): string {
  return text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
