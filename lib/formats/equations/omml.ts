import type { Element } from "@xmldom/xmldom";
import { attribute, child, children } from "../office/package/xml.ts";
import { tidy, toFunction, toSymbols, toText } from "./symbols.ts";
import {
  fenced,
  fraction,
  matrix,
  over,
  root,
  stack,
  under,
  withLimits,
  withScripts,
} from "./tex.ts";

/** Equations of Office Open XML (ECMA-376 Part 1, 22.1) as TeX. */

/** An equation, `m:oMath`, as TeX; empty if it shows nothing. */
export function ommlToTex(equation: Element): string {
  return tidy(readAll(equation));
}

function readAll(parent: Element | undefined): string {
  return parent ? children(parent).map(read).join("") : "";
}

/** The content of a child, such as the numerator of a fraction. */
const part = (element: Element, name: string) => readAll(child(element, name));

/** An attribute of a property, such as `chr` of `naryPr`; undefined if the property is absent. */
function property(element: Element, name: string): string | undefined {
  const properties = children(element).find(
    ({ localName }) => localName === `${element.localName}Pr`,
  );
  const found = child(properties, name);
  return found && (attribute(found, "val") ?? "");
}

/** Properties such as `degHide` are on without a value. */
const isOn = (value: string | undefined) => value !== undefined && !/^(0|false|off)$/.test(value);

const readers: Readonly<Record<string, (element: Element) => string>> = {
  r: readRun,
  f: readFraction,
  sSup: (element) => withScripts(part(element, "e"), undefined, part(element, "sup")),
  sSub: (element) => withScripts(part(element, "e"), part(element, "sub")),
  sSubSup: (element) => withScripts(part(element, "e"), part(element, "sub"), part(element, "sup")),
  sPre: (element) =>
    `${withScripts("{}", part(element, "sub"), part(element, "sup")).trim()}${part(element, "e")}`,
  rad: (element) =>
    root(part(element, "e"), isOn(property(element, "degHide")) ? "" : part(element, "deg")),
  nary: readOperator,
  d: readDelimited,
  func: (element) => `${readFunctionName(element)} ${part(element, "e")}`,
  limLow: (element) => withLimits(part(element, "e"), part(element, "lim"), ""),
  limUpp: (element) => withLimits(part(element, "e"), "", part(element, "lim")),
  acc: (element) => over(part(element, "e"), property(element, "chr") ?? "\u0302"),
  bar: (element) =>
    property(element, "pos") === "top"
      ? over(part(element, "e"), "\u0305")
      : under(part(element, "e"), "\u0332"),
  groupChr: (element) => {
    const mark = property(element, "chr") ?? "⏟";
    const place = property(element, "pos") === "top" ? over : under;
    return place(part(element, "e"), mark);
  },
  borderBox: (element) => `\\boxed{${part(element, "e")}}`,
  phant: (element) =>
    isOn(property(element, "show") ?? "1")
      ? part(element, "e")
      : `\\phantom{${part(element, "e")}}`,
  m: (element) =>
    matrix(children(element, "mr").map((row) => children(row, "e").map((cell) => readAll(cell)))),
  eqArr: readEquations,
  // Properties have no content, and deleted text is left out.
  ctrlPr: () => "",
  rPr: () => "",
  del: () => "",
  moveFrom: () => "",
};

function read(element: Element): string {
  const name = element.localName ?? "";
  return (readers[name] ?? (/Pr$/.test(name) ? () => "" : readAll))(element);
}

/** The commands of `m:scr`, the script of a run. */
const scripts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "double-struck": "mathbb",
    script: "mathcal",
    fraktur: "mathfrak",
    "sans-serif": "mathsf",
    monospace: "mathtt",
  }),
);

function readRun(run: Element): string {
  const text = children(run, "t")
    .map(({ textContent }) => textContent ?? "")
    .join("");
  // Word and other programs also put the properties of text here, which have the same name.
  const properties = children(run, "rPr");
  const value = (name: string) =>
    attribute(
      properties.map((one) => child(one, name)).find((one) => one !== undefined),
      "val",
    );
  const isNormal = properties.some((one) => child(one, "nor") && isOn(value("nor") ?? "1"));
  if (isNormal) return /[\p{L}\p{N}]/u.test(text) ? toText(text) : toSymbols(text);
  const script = scripts.get(value("scr") ?? "");
  if (script) return text.replace(/\p{L}+/gu, `\\${script}{$&} `);
  const style = value("sty");
  if (style === "b") return text.trim() === "" ? " " : `\\mathbf{${toSymbols(text).trim()}} `;
  if (style === "p" && /^\s*\p{L}{2,}\s*$/u.test(text)) return toFunction(text);
  return style === "bi" && text.trim() !== ""
    ? `\\boldsymbol{${toSymbols(text).trim()}} `
    : toSymbols(text);
}

function readFraction(element: Element): string {
  const parts = [part(element, "num"), part(element, "den")] as const;
  const type = property(element, "type");
  if (type === "noBar") return stack(...parts);
  if (type !== "lin") return fraction(...parts);
  return parts.map((text) => (/[-+ ]/.test(text.trim()) ? `(${text.trim()})` : text)).join("/");
}

/** A sum, an integral or the like; the integral if it names no sign. */
function readOperator(element: Element): string {
  const sign = toSymbols(property(element, "chr") ?? "∫");
  const sub = isOn(property(element, "subHide")) ? "" : part(element, "sub");
  const sup = isOn(property(element, "supHide")) ? "" : part(element, "sup");
  return `${withScripts(sign, sub, sup)}${part(element, "e")}`;
}

function readDelimited(element: Element): string {
  const separator = toSymbols(property(element, "sepChr") ?? "|");
  const content = children(element, "e").map((one) => readAll(one));
  const open = property(element, "begChr") ?? "(";
  const close = property(element, "endChr") ?? ")";
  return fenced(open, close, content.join(separator));
}

/** The name of a function, which may have a limit or an exponent of its own. */
function readFunctionName(element: Element): string {
  const name = child(element, "fName");
  const runs = name ? children(name) : [];
  const isPlain = runs.every(({ localName }) => localName === "r" || localName === "ctrlPr");
  return isPlain ? toFunction(runs.map((run) => run.textContent ?? "").join("")) : readAll(name);
}

/** Equations below each other; `&` in them says where they are aligned. */
function readEquations(element: Element): string {
  const rows = children(element, "e").map((row) => readAll(row).replaceAll("\\&", "&").trim());
  return `\\begin{aligned} ${rows.join(" \\\\ ")} \\end{aligned}`;
}
