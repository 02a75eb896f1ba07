/** How a language writes what JSON can hold. */
export interface LiteralStyle {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly indent: string;
  /** An object's key, as it stands before the colon. */
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

/** Code of the language itself, where a value would stand. */
export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

const widest = 60;

/**
 * A JSON value as a literal; over several lines where it is long, those after the first indented
 * by `margin`. JSON's own strings and numbers are valid in both languages.
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
  if (line.length <= widest && !line.includes("\n")) {
    return Array.isArray(value) ? `[${line}]` : writeObjectLine(line, style);
  }
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${margin}${close}`;
}

/** `{ a: 1 }` in TypeScript, `{"a": 1}` in Python. */
function writeObjectLine(line: string, style: LiteralStyle): string {
  return style === typescriptStyle ? `{ ${line} }` : `{${line}}`;
}
