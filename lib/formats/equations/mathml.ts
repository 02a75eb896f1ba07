import { tidy, toFunction, toSymbols, toText } from "./symbols.ts";
import {
  fenced,
  fraction,
  matrix,
  over,
  root,
  stack,
  takesLimits,
  under,
  withLimits,
  withScripts,
} from "./tex.ts";

/** Equations in MathML (MathML Core, and the elements of MathML 3 that pages use) as TeX. */

/** A `math` element as TeX: what its author wrote as TeX, if it is there; empty if it shows nothing. */
export function mathmlToTex(math: Element): string {
  const source = Array.from(math.querySelectorAll("annotation")).find((annotation) =>
    /^application\/x-(?:la)?tex$/i.test(annotation.getAttribute("encoding") ?? ""),
  )?.textContent;
  if (source?.trim()) return unwrapStyle(source.replace(/\s+/g, " ").trim());
  return tidy(readRow(Array.from(math.children)));
}

/** Wikipedia's equations begin so. */
function unwrapStyle(tex: string): string {
  return /^\{\\(?:display|text)style (.*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

const part = (element: Element, index: number) => {
  const found = element.children[index];
  return found ? read(found) : "";
};

const readers: Readonly<Record<string, (element: Element) => string>> = {
  mi: readIdentifier,
  mn: (element) => toSymbols(element.textContent?.trim() ?? ""),
  mo: (element) => readOperator(element.textContent?.trim() ?? ""),
  mtext: (element) => toText(element.textContent ?? ""),
  ms: (element) => toText(`"${element.textContent ?? ""}"`),
  mspace: () => " ",
  msup: (element) => withScripts(part(element, 0), undefined, part(element, 1)),
  msub: (element) => withScripts(part(element, 0), part(element, 1)),
  msubsup: (element) => withScripts(part(element, 0), part(element, 1), part(element, 2)),
  mmultiscripts: readMultiscripts,
  mfrac: (element) => {
    const parts = [part(element, 0), part(element, 1)] as const;
    return /^0/.test(element.getAttribute("linethickness") ?? "")
      ? stack(...parts)
      : fraction(...parts);
  },
  msqrt: (element) => root(readRow(Array.from(element.children))),
  mroot: (element) => root(part(element, 0), part(element, 1)),
  mover: (element) => readOver(element),
  munder: (element) => readUnder(element),
  munderover: (element) => withLimits(part(element, 0), part(element, 1), part(element, 2)),
  mtable: (element) => matrix(Array.from(element.children).map(readCells)),
  mfenced: readFenced,
  menclose: (element) => {
    const content = readRow(Array.from(element.children));
    const notation = element.getAttribute("notation") ?? "";
    return /box/.test(notation) ? `\\boxed{${content}}` : content;
  },
  mphantom: (element) => `\\phantom{${readRow(Array.from(element.children))}}`,
  semantics: (element) => part(element, 0),
  maction: (element) => part(element, 0),
  annotation: () => "",
  "annotation-xml": () => "",
};

function read(element: Element): string {
  const name = element.localName.replace(/^\w+:/, "").toLowerCase();
  return (readers[name] ?? ((one) => readRow(Array.from(one.children))))(element);
}

/** Elements next to each other; delimiters around all of them belong together. */
function readRow(elements: readonly Element[]): string {
  const [first, ...rest] = elements;
  const open = first && bracket(first, /^[([{|‖⟨⌊⌈]$/);
  if (open === undefined) return elements.map(read).join("");
  const last = rest.at(-1);
  const close = last && bracket(last, /^[)\]}|‖⟩⌋⌉]$/);
  const inside = close === undefined ? rest : rest.slice(0, -1);
  const isPair = close !== undefined && !inside.some((one) => bracket(one, /^[([{)\]}|‖]$/));
  if (isPair) return fenced(open, close, inside.map(read).join(""));
  const isCases = open === "{" && inside.length === 1 && /mtable$/.test(inside[0]?.localName ?? "");
  return isCases ? fenced(open, "", inside.map(read).join("")) : elements.map(read).join("");
}

function bracket(element: Element, pattern: RegExp): string | undefined {
  const text = /mo$/.test(element.localName) ? (element.textContent?.trim() ?? "") : "";
  return pattern.test(text) ? text : undefined;
}

/** Invisible operators show nothing; words are functions. */
function readOperator(text: string): string {
  return /^\p{L}{2,}$/u.test(text) ? toFunction(text) : toSymbols(text);
}

const variants: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bold: "mathbf",
    "double-struck": "mathbb",
    script: "mathcal",
    fraktur: "mathfrak",
    "bold-italic": "boldsymbol",
    "sans-serif": "mathsf",
    monospace: "mathtt",
  }),
);

function readIdentifier(element: Element): string {
  const text = element.textContent?.trim() ?? "";
  const command = variants.get(element.getAttribute("mathvariant") ?? "");
  if (command) return `\\${command}{${toSymbols(text).trim()}} `;
  return /^\p{L}{2,}$/u.test(text) ? toFunction(text) : toSymbols(text);
}

function readOver(element: Element): string {
  const mark = element.children[1]?.textContent?.trim() ?? "";
  const base = part(element, 0);
  const isMark = /mo$/.test(element.children[1]?.localName ?? "") && [...mark].length === 1;
  return isMark && !takesLimits(base) ? over(base, mark) : withLimits(base, "", part(element, 1));
}

function readUnder(element: Element): string {
  const mark = element.children[1]?.textContent?.trim() ?? "";
  const base = part(element, 0);
  const isMark = /^[⏟︸_¯‾]$/.test(mark);
  return isMark ? under(base, mark) : withLimits(base, part(element, 1), "");
}

/** Scripts after the base in pairs, then those before it. */
function readMultiscripts(element: Element): string {
  const [base, ...scripts] = Array.from(element.children);
  const at = scripts.findIndex(({ localName }) => /mprescripts$/.test(localName));
  const pairsOf = (list: readonly Element[]) =>
    list.flatMap((one, index) => (index % 2 === 0 ? [[one, list[index + 1]] as const] : []));
  const write = (text: string, list: readonly Element[]) =>
    pairsOf(list).reduce(
      (result, [sub, sup]) => withScripts(result, sub && read(sub), sup && read(sup)).trim(),
      text,
    );
  const after = at < 0 ? scripts : scripts.slice(0, at);
  const before = at < 0 ? [] : scripts.slice(at + 1);
  const prefix = before.length > 0 ? write("{}", before) : "";
  return `${prefix}${write(base ? read(base) : "{}", after)} `;
}

function readCells(row: Element): string[] {
  const cells = Array.from(row.children);
  // The first child of a labeled row is its number.
  const content = /mlabeledtr$/.test(row.localName) ? cells.slice(1) : cells;
  return content.map((cell) => readRow(Array.from(cell.children)));
}

function readFenced(element: Element): string {
  const separators = [...(element.getAttribute("separators") ?? ",").replace(/\s/g, "")];
  const content = Array.from(element.children).map(read);
  const joined = content.reduce(
    (text, one, index) =>
      index === 0 ? one : `${text}${separators[index - 1] ?? separators.at(-1) ?? ""}${one}`,
    "",
  );
  return fenced(element.getAttribute("open") ?? "(", element.getAttribute("close") ?? ")", joined);
}
