/** How a language writes JSON values. */
export interface LiteralStyle {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly indent: string;
  /** An object's key, as written before the colon. */
  readonly key: (name: string) => string;
}

export const typescriptStyle: LiteralStyle = {
  null: "null",
  true: "true",
  false: "false",
  indent: "  ",
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
};

export const pythonStyle: LiteralStyle = {
  null: "None",
  true: "True",
  false: "False",
  indent: "    ",
  key: (name) => JSON.stringify(name),
};

/** An expression in the target language, used instead of a value. */
export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

const maxLineLength = 60;

/**
 * A JSON value as a literal. Long values have several lines; `margin` indents all lines but the
 * first. JSON strings and numbers are valid literals in both languages.
 */
export function writeLiteral(value: unknown, style: LiteralStyle, margin = ""): string {
  if (value instanceof Expression) return value.code;
  if (value === null || value === undefined) return style.null;
  if (typeof value === "boolean") return value ? style.true : style.false;
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = margin + style.indent;
  const items = Array.isArray(value)
    ? value.map((item) => writeLiteral(item, style, inner))
    : Object.entries(value).map(
        ([name, item]) => `${style.key(name)}: ${writeLiteral(item, style, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  const line = items.join(", ");
  if (line.length <= maxLineLength && !line.includes("\n")) {
    return Array.isArray(value) ? `[${line}]` : writeObjectLine(line, style);
  }
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${margin}${close}`;
}

/** Writes an object on one line: `{ a: 1 }` in TypeScript, `{"a": 1}` in Python. */
function writeObjectLine(line: string, style: LiteralStyle): string {
  return style === typescriptStyle ? `{ ${line} }` : `{${line}}`;
}
