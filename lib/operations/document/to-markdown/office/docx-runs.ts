import type { Element } from "@xmldom/xmldom";
import { ommlToTex } from "#lib/formats/equations/omml.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import type { Relationship } from "#lib/formats/office/package/relationships.ts";
import {
  attribute,
  child,
  children,
  descendants,
  numberAttribute,
} from "#lib/formats/office/package/xml.ts";
import type { StyledText } from "../content/html.ts";
import type { ImageCollector } from "../content/images.ts";
import type { Omitted } from "../content/omitted.ts";
import type { DocxStyles } from "./docx-styles.ts";

export interface DocxRuns {
  readonly document: DocumentPackage;
  readonly images: ImageCollector;
  readonly omitted: Omitted;
  readonly relationships: ReadonlyMap<string, Relationship>;
  readonly styles: DocxStyles;
  /** Whether the file says where pages began when it was last laid out. */
  readonly isRendered: boolean;
}

export interface ParagraphContent {
  readonly runs: readonly StyledText[];
  /** Pages that begin in the paragraph. */
  readonly breaks: number;
  /** The contents of its text boxes. */
  readonly boxes: readonly Element[];
  /** Notes that it refers to, such as `footnote3`. */
  readonly notes: ReadonlySet<string>;
  /** Its pictures as HTML. */
  readonly pictures: string;
}

/** Reads the text of a paragraph. Deleted text is left out, inserted text is kept. */
export async function readRuns(paragraph: Element, context: DocxRuns): Promise<ParagraphContent> {
  const reader = new RunReader(context);
  const before = child(paragraph, "pPr", "pageBreakBefore");
  if (before && isOn(before) && !context.isRendered) reader.breaks++;
  await reader.read(paragraph, undefined);
  return reader;
}

/** Whether an element such as `b` switches something on. */
function isOn(element: Element): boolean {
  return !/^(0|false|off|none)$/.test(attribute(element, "val") ?? "1");
}

class RunReader implements ParagraphContent {
  readonly runs: StyledText[] = [];
  readonly boxes: Element[] = [];
  readonly notes = new Set<string>();
  breaks = 0;
  pictures = "";
  readonly #context: DocxRuns;
  /** Instructions of the fields that are open; text is only their result. */
  readonly #fields: { instruction: string; isResult: boolean }[] = [];

  constructor(context: DocxRuns) {
    this.#context = context;
  }

  async read(parent: Element, link: string | undefined): Promise<void> {
    for (const element of children(parent)) {
      const name = element.localName ?? "";
      if (name === "r") await this.#readRun(element, link);
      else if (name === "hyperlink") await this.read(element, this.#linkOf(element) ?? link);
      else if (name === "fldSimple")
        await this.read(element, fieldLink(attribute(element, "instr")) ?? link);
      else if (/^(ins|moveTo|smartTag|customXml|sdt|sdtContent|dir|bdo)$/.test(name))
        await this.read(element, link);
      else if (name === "oMath") this.#addEquation(element, "inline");
      else if (name === "oMathPara")
        for (const equation of children(element, "oMath")) this.#addEquation(equation, "display");
    }
  }

  #addEquation(element: Element, equation: "inline" | "display"): void {
    const text = ommlToTex(element);
    if (text !== "") this.runs.push({ text, equation });
  }

  #linkOf(element: Element): string | undefined {
    const relationship = this.#context.relationships.get(attribute(element, "id") ?? "");
    return relationship?.isExternal ? relationship.target : undefined;
  }

  async #readRun(run: Element, link: string | undefined): Promise<void> {
    const style = this.#styleOf(child(run, "rPr"));
    if (!style) return;
    const field = this.#fields.at(-1);
    const target = link ?? (field?.isResult ? fieldLink(field.instruction) : undefined);
    for (const element of children(run))
      await this.#readContent(element, { ...style, link: target });
  }

  async #readContent(element: Element, style: Omit<StyledText, "text">): Promise<void> {
    const name = element.localName ?? "";
    const field = this.#fields.at(-1);
    if (name === "fldChar") this.#readFieldMark(attribute(element, "fldCharType"));
    else if (name === "instrText" && field) field.instruction += element.textContent ?? "";
    else if (field && !field.isResult) return;
    else if (name === "t") this.runs.push({ ...style, text: element.textContent ?? "" });
    else if (name === "tab") this.runs.push({ ...style, text: " " });
    else if (name === "noBreakHyphen") this.runs.push({ ...style, text: "-" });
    else if (name === "sym") this.runs.push({ ...style, text: readSymbol(element) });
    else if (name === "br" && attribute(element, "type") === "page")
      this.breaks += this.#context.isRendered ? 0 : 1;
    else if (name === "lastRenderedPageBreak") this.breaks++;
    else if (name === "br" || name === "cr") this.runs.push({ ...style, text: "\n" });
    else if (/^(foot|end)noteReference$/.test(name))
      this.#addNote(name, attribute(element, "id") ?? "");
    else if (name === "AlternateContent") {
      const choice = child(element, "Choice") ?? child(element, "Fallback");
      for (const one of choice ? children(choice) : []) await this.#readContent(one, style);
    } else if (/^(drawing|pict|object)$/.test(name)) await this.#readDrawing(element);
  }

  #readFieldMark(type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === "begin") this.#fields.push({ instruction: "", isResult: false });
    else if (type === "separate" && field) field.isResult = true;
    else if (type === "end") this.#fields.pop();
  }

  #addNote(name: string, id: string): void {
    const kind = name.replace("Reference", "");
    this.notes.add(`${kind}${id}`);
    this.runs.push({ text: `\ue000${kind === "endnote" ? "e" : ""}${id}\ue001` });
  }

  async #readDrawing(element: Element): Promise<void> {
    const { omitted } = this.#context;
    omitted.add("chart", [...descendants(element, "chart")].length);
    omitted.add("diagram", [...descendants(element, "relIds")].length);
    for (const object of descendants(element, "OLEObject")) {
      const isEquation = /equation|mathtype/i.test(attribute(object, "ProgID") ?? "");
      omitted.add(isEquation ? "equation" : "object");
    }
    for (const box of descendants(element, "txbxContent")) this.boxes.push(box);
    const properties = descendants(element, "docPr").next().value;
    const alt = attribute(properties ?? undefined, "descr") ?? "";
    const names = ["blip", "imagedata"];
    for (const picture of names.flatMap((name) => [...descendants(element, name)])) {
      const id = attribute(picture, "embed") ?? attribute(picture, "id") ?? "";
      const relationship = this.#context.relationships.get(id);
      if (!relationship || relationship.isExternal) continue;
      const { target } = relationship;
      const name = await this.#context.images.add(target, () =>
        this.#context.document.read(target),
      );
      const source = name ? ` src="${escapeHtml(encodeURI(name))}"` : "";
      if (name || alt) this.pictures += `<img${source} alt="${escapeHtml(alt)}">`;
    }
  }

  /** The look of a run; undefined if it is hidden. */
  #styleOf(properties: Element | undefined): Omit<StyledText, "text"> | undefined {
    const id = attribute(child(properties, "rStyle"), "val");
    const sources = [...(properties ? [properties] : []), ...this.#context.styles.character(id)];
    const has = (name: string) => {
      const found = sources.map((source) => child(source, name)).find((one) => one !== undefined);
      return found !== undefined && isOn(found);
    };
    if (has("vanish")) return undefined;
    const font = attribute(child(properties, "rFonts"), "ascii") ?? "";
    const script = readScript(sources);
    return {
      sup: script > 0,
      sub: script < 0,
      bold: has("b"),
      italic: has("i"),
      strike: has("strike") || has("dstrike"),
      code: /courier|consolas|mono\b|menlo/i.test(font) || /code|verbatim/i.test(id ?? ""),
    };
  }
}

/**
 * The least rise in half points: a smaller distance from the baseline corrects a font, and is no
 * exponent.
 */
const leastRise = 4;

/**
 * Returns a positive number for a superscript, a negative one for a subscript, and 0 for other
 * text.
 */
function readScript(sources: readonly Element[]): number {
  for (const source of sources) {
    const align = attribute(child(source, "vertAlign"), "val");
    if (align !== undefined) return align === "superscript" ? 1 : align === "subscript" ? -1 : 0;
    const rise = numberAttribute(child(source, "position"), "val");
    if (rise !== undefined) return Math.abs(rise) < leastRise ? 0 : rise;
  }
  return 0;
}

/** The URL of a `HYPERLINK` field. */
function fieldLink(instruction: string | undefined): string | undefined {
  return /^\s*HYPERLINK\s+"([^"]+)"/.exec(instruction ?? "")?.[1];
}

/** A character of a symbol font; its code may be in the private area of Unicode. */
function readSymbol(element: Element): string {
  const code = Number.parseInt(attribute(element, "char") ?? "", 16);
  return code > 0x20 && code < 0xe000 ? String.fromCodePoint(code) : "•";
}
