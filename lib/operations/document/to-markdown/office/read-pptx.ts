import type { Element } from "@xmldom/xmldom";
import { ommlToTex } from "#lib/formats/equations/omml.ts";
import { pageMark } from "#lib/formats/html/simple-elements.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { type Relationship, readRelationships } from "#lib/formats/office/package/relationships.ts";
import {
  attribute,
  child,
  children,
  descendants,
  numberAttribute,
} from "#lib/formats/office/package/xml.ts";
import { renderRuns, type StyledText, trimRuns } from "../content/html.ts";
import type { ImageCollector } from "../content/images.ts";
import { NestedLists } from "../content/nested-lists.ts";
import type { Omitted } from "../content/omitted.ts";

/** A shape on a slide, with its place in EMU. */
interface Shape {
  readonly top: number;
  readonly left: number;
  readonly isTitle: boolean;
  readonly html: string;
}

/** Shapes whose tops differ by less, in EMU (a quarter of an inch), are next to each other. */
const rowHeight = 228_600;
const maxDepth = 20;

/** A PPTX as HTML: a page mark and the title of each slide, its texts from the top, and its notes. */
export async function readPptx(
  document: DocumentPackage,
  images: ImageCollector,
  omitted: Omitted,
): Promise<string> {
  const main = "ppt/presentation.xml";
  const presentation = await document.requireXml(main);
  const relationships = await readRelationships(document, main);
  const list = presentation.documentElement && child(presentation.documentElement, "sldIdLst");
  const parts: string[] = [];
  for (const [index, entry] of (list ? children(list, "sldId") : []).entries()) {
    const id = [...entry.attributes].find(({ name }) => name.endsWith(":id"))?.value ?? "";
    const target = relationships.get(id)?.target;
    if (!target) continue;
    const slide = await new SlideReader(document, images, omitted).read(target);
    parts.push(`${pageMark(index + 1)}${slide}`);
  }
  return parts.join("");
}

class SlideReader {
  readonly #document: DocumentPackage;
  readonly #images: ImageCollector;
  readonly #omitted: Omitted;
  #relationships: ReadonlyMap<string, Relationship> = new Map();

  constructor(document: DocumentPackage, images: ImageCollector, omitted: Omitted) {
    this.#document = document;
    this.#images = images;
    this.#omitted = omitted;
  }

  async read(name: string): Promise<string> {
    const xml = await this.#document.readXml(name);
    const tree = xml?.documentElement && child(xml.documentElement, "cSld", "spTree");
    const isHidden = attribute(xml?.documentElement ?? undefined, "show") === "0";
    if (isHidden) this.#omitted.add("slide");
    if (!tree || isHidden) return "";
    this.#relationships = await readRelationships(this.#document, name);
    const shapes = await this.#readShapes(tree, 0);
    const titles = shapes.filter(({ isTitle }) => isTitle);
    const others = shapes.filter(({ isTitle }) => !isTitle).toSorted(byPlace);
    const html = [...titles, ...others].map((shape) => shape.html).join("");
    return `${html}${await this.#readNotes()}`;
  }

  async #readNotes(): Promise<string> {
    const notes = [...this.#relationships.values()].find(({ kind }) => kind === "notesSlide");
    const xml = notes && (await this.#document.readXml(notes.target));
    const tree = xml?.documentElement && child(xml.documentElement, "cSld", "spTree");
    const bodies = (tree ? children(tree, "sp") : []).filter(
      (shape) => placeholder(shape) === "body",
    );
    const html = bodies.map((shape) => this.#readText(child(shape, "txBody"), false)).join("");
    return html === "" ? "" : `<blockquote>${html}</blockquote>`;
  }

  async #readShapes(tree: Element, depth: number): Promise<Shape[]> {
    const shapes: Shape[] = [];
    for (const element of children(tree)) {
      if (element.localName === "AlternateContent") {
        const choice = child(element, "Choice") ?? child(element, "Fallback");
        if (choice) shapes.push(...(await this.#readShapes(choice, depth)));
      } else if (element.localName === "grpSp" && depth < maxDepth) {
        const inside = (await this.#readShapes(element, depth + 1)).toSorted(byPlace);
        const place = placeOf(child(element, "grpSpPr"));
        const html = inside.map((shape) => shape.html).join("");
        shapes.push({ ...place, isTitle: inside.some(({ isTitle }) => isTitle), html });
      } else {
        const shape = await this.#readShape(element);
        if (shape) shapes.push(shape);
      }
    }
    return shapes;
  }

  async #readShape(element: Element): Promise<Shape | undefined> {
    const { localName } = element;
    if (localName === "sp" || localName === "cxnSp") {
      const type = placeholder(element);
      if (/^(dt|ftr|sldNum|hdr)$/.test(type ?? "")) return undefined;
      const isTitle = type === "title" || type === "ctrTitle";
      const text = child(element, "txBody");
      const isList = type === "body" || type === "obj" || type === "";
      const html = isTitle
        ? this.#readTitle(text, type === "ctrTitle")
        : this.#readText(text, isList);
      return { ...placeOf(child(element, "spPr")), isTitle, html };
    }
    if (localName === "graphicFrame") {
      this.#omitted.add("chart", [...descendants(element, "chart")].length);
      this.#omitted.add("diagram", [...descendants(element, "relIds")].length);
      if (!descendants(element, "oleObj").next().done) this.#omitted.add("object");
      const html = [...descendants(element, "tbl")].map((table) => this.#readTable(table)).join("");
      return { ...placeOf(element), isTitle: false, html };
    }
    if (localName !== "pic") return undefined;
    return {
      ...placeOf(child(element, "spPr")),
      isTitle: false,
      html: await this.#readPicture(element),
    };
  }

  #readTitle(text: Element | undefined, isMain: boolean): string {
    const paragraphs = text ? children(text, "p") : [];
    const runs = paragraphs.flatMap((paragraph) => [...this.#readRuns(paragraph), { text: " " }]);
    const plain = trimRuns(
      runs.map((run) => ({ ...run, bold: false, text: run.text.replaceAll("\n", " ") })),
    );
    const level = isMain ? 1 : 2;
    return plain.length === 0 ? "" : `<h${level}>${renderRuns(plain)}</h${level}>`;
  }

  /** Paragraphs; those of a list are items even if they do not say so, as the layout has bullets. */
  #readText(text: Element | undefined, isList: boolean): string {
    const parts: string[] = [];
    const lists = new NestedLists();
    const paragraphs = text ? children(text, "p") : [];
    const filled = paragraphs.filter((paragraph) => trimRuns(this.#readRuns(paragraph)).length > 0);
    for (const paragraph of filled) {
      const properties = child(paragraph, "pPr");
      const level = numberAttribute(properties, "lvl") ?? 0;
      const number = child(properties, "buAutoNum");
      const isNone = child(properties, "buNone") !== undefined;
      const isItem =
        number || child(properties, "buChar") || (isList && filled.length > 1) || level > 0;
      const html = renderRuns(trimRuns(this.#readRuns(paragraph)));
      if (isItem && !isNone) {
        const start = numberAttribute(number, "startAt") ?? 1;
        lists.add(html, number ? "numbers" : "bullets", level, number !== undefined, start);
      } else {
        parts.push(lists.take(), `<p>${html}</p>`);
      }
    }
    return [...parts, lists.take()].join("");
  }

  #readRuns(paragraph: Element): StyledText[] {
    return children(paragraph).flatMap((element): StyledText[] => {
      if (element.localName === "br") return [{ text: "\n" }];
      if (element.localName === "AlternateContent" || element.localName === "m")
        return readEquations(element);
      if (element.localName !== "r" && element.localName !== "fld") return [];
      const properties = child(element, "rPr");
      const rise = numberAttribute(properties, "baseline") ?? 0;
      const link = this.#relationships.get(attribute(child(properties, "hlinkClick"), "id") ?? "");
      return [
        {
          text: child(element, "t")?.textContent ?? "",
          bold: isOn(attribute(properties, "b")),
          italic: isOn(attribute(properties, "i")),
          sup: rise > 0,
          sub: rise < 0,
          strike: /Strike$/.test(attribute(properties, "strike") ?? ""),
          link: link?.isExternal ? link.target : undefined,
        },
      ];
    });
  }

  #readTable(table: Element): string {
    const rows = children(table, "tr").map((row) => {
      const cells = children(row, "tc").map((cell) => {
        const isCovered = isOn(attribute(cell, "hMerge")) || isOn(attribute(cell, "vMerge"));
        return `<td>${isCovered ? "" : this.#readText(child(cell, "txBody"), false)}</td>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    });
    return `<table>${rows.join("")}</table>`;
  }

  async #readPicture(picture: Element): Promise<string> {
    const alt = attribute(child(picture, "nvPicPr", "cNvPr"), "descr") ?? "";
    const id = attribute(child(picture, "blipFill", "blip"), "embed") ?? "";
    const target = this.#relationships.get(id)?.target;
    const name = target && (await this.#images.add(target, () => this.#document.read(target)));
    if (!name && !alt) return "";
    const source = name ? ` src="${escapeHtml(encodeURI(name))}"` : "";
    return `<p><img${source} alt="${escapeHtml(alt)}"></p>`;
  }
}

/** The equations of a paragraph, which older programs find as a picture next to them. */
function readEquations(element: Element): StyledText[] {
  const choice = child(element, "Choice") ?? element;
  const isDisplay = !descendants(choice, "oMathPara").next().done;
  return [...descendants(choice, "oMath")].flatMap((equation) => {
    const text = ommlToTex(equation);
    return text === "" ? [] : [{ text, equation: isDisplay ? "display" : "inline" } as const];
  });
}

/** The type of a placeholder, empty for one without type; undefined for other shapes. */
function placeholder(shape: Element): string | undefined {
  const found = child(shape, "nvSpPr", "nvPr", "ph");
  return found && (attribute(found, "type") ?? "");
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** Where a shape is; one without a place, such as a placeholder, is where the layout has it. */
function placeOf(properties: Element | undefined): { top: number; left: number } {
  const offset = child(properties, "xfrm", "off");
  return { top: numberAttribute(offset, "y") ?? 0, left: numberAttribute(offset, "x") ?? 0 };
}

function byPlace(a: Shape, b: Shape): number {
  return Math.round(a.top / rowHeight) - Math.round(b.top / rowHeight) || a.left - b.left;
}
