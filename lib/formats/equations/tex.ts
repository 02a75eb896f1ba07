import { toSymbols } from "./symbols.ts";

/** The parts of equations as TeX, for the readers of OMML and MathML. */

/** Commands that are as wide as one letter or an operator, and so take scripts without braces. */
const atom = /^(?:\{\}|\\[a-zA-Z]+|[^\\{}\s]|\\(?:mathbb|mathbf|mathcal|operatorname)\{[^{}]*\})$/u;

/** A base with a subscript and a superscript; those that are undefined or empty are left out. */
export function withScripts(base: string, sub?: string, sup?: string): string {
  const trimmed = base.trim();
  const group = atom.test(trimmed) ? trimmed : `{${trimmed}}`;
  const low = sub?.trim() ? `_{${sub.trim()}}` : "";
  const high = sup?.trim() ?? "";
  // Primes are superscripts already.
  const raised = /^'+$/.test(high) ? high : high === "" ? "" : `^{${high}}`;
  return low === "" && raised === "" ? `${group} ` : `${group}${low}${raised}`;
}

export function fraction(numerator: string, denominator: string): string {
  return `\\frac{${numerator}}{${denominator}}`;
}

/** One number above another one, without a line. */
export function stack(above: string, below: string): string {
  return `\\genfrac{}{}{0pt}{}{${above}}{${below}}`;
}

export function root(radicand: string, degree = ""): string {
  return degree.trim() === "" ? `\\sqrt{${radicand}}` : `\\sqrt[${degree.trim()}]{${radicand}}`;
}

export function matrix(rows: readonly (readonly string[])[], name = "matrix"): string {
  const lines = rows.map((cells) => cells.map((cell) => cell.trim()).join(" & "));
  return `\\begin{${name}} ${lines.join(" \\\\ ")} \\end{${name}}`;
}

/** Matrices with delimiters of their own. */
const delimited: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
  "‖‖": "Vmatrix",
};

/** Parts that are higher than a line, so that their delimiters grow. */
const tall =
  /\\(?:frac|genfrac|begin|sum|prod|int|iint|sqrt|overset|underset|overbrace|underbrace)\b/;

/** Content between delimiters; an empty one is not shown. */
export function fenced(open: string, close: string, content: string): string {
  const inner = content.trim();
  const alone = /^\\begin\{(matrix|aligned)\} (.*) \\end\{\1\}$/s.exec(inner);
  const body = alone?.[2] ?? "";
  const isOne = alone !== null && !body.includes("\\begin");
  const name = alone?.[1] === "matrix" ? delimited[`${open}${close}`] : undefined;
  if (isOne && name) return `\\begin{${name}} ${body} \\end{${name}}`;
  if (isOne && open === "{" && close === "") return `\\begin{cases} ${body} \\end{cases}`;
  const pair = /^\\genfrac\{\}\{\}\{0pt\}\{\}(\{[^{}]*\}\{[^{}]*\})$/.exec(inner);
  if (pair && `${open}${close}` === "()") return `\\binom${pair[1]}`;
  if (open !== "" && close !== "" && !tall.test(inner))
    return `${toSymbols(open)}${inner}${toSymbols(close)}`;
  return `\\left${delimiter(open)} ${inner} \\right${delimiter(close)} `;
}

function delimiter(character: string): string {
  return character === "" ? "." : toSymbols(character).trim();
}

/** Commands of accents, over one letter and over several. */
const accents: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries({
    ...accent(["hat", "widehat"], "\u0302^ˆ"),
    ...accent(["tilde", "widetilde"], "\u0303~˜∼"),
    ...accent(["bar", "overline"], "\u0304\u0305¯‾―"),
    ...accent(["vec", "overrightarrow"], "\u20d7→⃗⟶"),
    ...accent(["overleftarrow", "overleftarrow"], "\u20d6←"),
    ...accent(["overleftrightarrow", "overleftrightarrow"], "\u20e1↔"),
    ...accent(["dot", "dot"], "\u0307.˙"),
    ...accent(["ddot", "ddot"], "\u0308¨"),
    ...accent(["dddot", "dddot"], "\u20db"),
    ...accent(["check", "check"], "\u030cˇ"),
    ...accent(["breve", "breve"], "\u0306˘"),
    ...accent(["acute", "acute"], "\u0301´"),
    ...accent(["grave", "grave"], "\u0300`"),
    ...accent(["overbrace", "overbrace"], "⏞︷"),
  }),
);

function accent(commands: readonly [string, string], characters: string) {
  return Object.fromEntries([...characters].map((character) => [character, commands]));
}

/** A mark over the content. */
export function over(content: string, mark: string): string {
  const commands = accents.get(mark.trim());
  const inner = content.trim();
  if (!commands) return `\\overset{${toSymbols(mark).trim()}}{${inner}}`;
  return `\\${commands[atom.test(inner) ? 0 : 1]}{${inner}}`;
}

/** A mark under the content. */
export function under(content: string, mark: string): string {
  const inner = content.trim();
  if (/^[⏟︸]$/.test(mark)) return `\\underbrace{${inner}}`;
  if (["_", "¯", "‾", "\u0332", "\u0331"].includes(mark)) return `\\underline{${inner}}`;
  return `\\underset{${toSymbols(mark).trim()}}{${inner}}`;
}

/** Whether limits stand below and above it: a sum, an integral, or a function such as lim. */
export function takesLimits(base: string): boolean {
  return /^\\(?:sum|prod|coprod|i{0,2}int|oint|big\w+|lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr|underbrace\{.*\}|overbrace\{.*\})$/s.test(
    base.trim(),
  );
}

/** What stands below and above a base. */
export function withLimits(base: string, below: string, above: string): string {
  const trimmed = base.trim();
  if (takesLimits(trimmed)) {
    const low = below.trim() === "" ? "" : `_{${below.trim()}}`;
    return `${trimmed}${low}${above.trim() === "" ? "" : `^{${above.trim()}}`} `;
  }
  const inner = below.trim() === "" ? trimmed : `\\underset{${below.trim()}}{${trimmed}}`;
  return above.trim() === "" ? inner : `\\overset{${above.trim()}}{${inner}}`;
}
