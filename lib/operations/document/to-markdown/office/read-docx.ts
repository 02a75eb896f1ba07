import type { Element } from "@xmldom/xmldom";
import { ommlToTex } from "#lib/formats/equations/omml.ts";
import { equationHtml, pageMark } from "#lib/formats/html/simple-elements.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { readRelationships } from "#lib/formats/office/package/relationships.ts";
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
import { type DocxRuns, readRuns } from "./docx-runs.ts";
import { DocxStyles } from "./docx-styles.ts";

/** Deeper tables and text boxes are left out. */
const maxDepth = 20;

/** A DOCX as HTML, with marks where Word has begun a new page, if the file says so. */
export async function readDocx(
  document: DocumentPackage,
  images: ImageCollector,
  omitted: Omitted,
): Promise<string> {
  const main = mainPart(document);
  const xml = await document.requireXml(main);
  const relationships = await readRelationships(document, main);
  const styles = await DocxStyles.read(document);
  const body = xml.documentElement ? child(xml.documentElement, "body") : undefined;
  if (!body) return "";
  const isRendered = !descendants(body, "lastRenderedPageBreak").next().done;
  const context: DocxRuns = { document, images, omitted, relationships, styles, isRendered };
  const reader = new BodyReader(context);
  await reader.readBlocks(body, 0);
  const comments = await document.readXml(main.replace(/[^/]*$/, "comments.xml"));
  omitted.add("comment", comments ? [...descendants(comments, "comment")].length : 0);
  const notes = await readNotes(context, main.slice(0, main.lastIndexOf("/") + 1), reader);
  return setTitle(`${reader.hasPages ? pageMark(1) : ""}${reader.html}${notes}`);
}

/** Below a title, the headings are one level lower. */
function setTitle(html: string): string {
  if (!html.includes("<doc-title>")) return html;
  return html
    .replace(
      /<(\/?)h([1-5])>/g,
      (_, slash: string, level: string) => `<${slash}h${Number(level) + 1}>`,
    )
    .replace(/<(\/?)doc-title>/g, "<$1h1>");
}

/** Word's own name for it, which other programs use, too. */
function mainPart({ names }: DocumentPackage): string {
  return names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? "word/document.xml";
}

/** Footnotes and endnotes that the text refers to, as Markdown has them. */
async function readNotes(context: DocxRuns, folder: string, reader: BodyReader): Promise<string> {
  const parts: string[] = [];
  for (const kind of ["footnote", "endnote"]) {
    const xml = await context.document.readXml(`${folder}${kind}s.xml`);
    for (const note of xml?.documentElement ? children(xml.documentElement, kind) : []) {
      const id = attribute(note, "id") ?? "";
      if (!reader.notes.has(`${kind}${id}`)) continue;
      const own = new BodyReader(context);
      await own.readBlocks(note, 1);
      parts.push(`<foot-note id="${escapeHtml(noteLabel(kind, id))}">${own.html}</foot-note>`);
    }
  }
  return parts.join("");
}

export function noteLabel(kind: string, id: string): string {
  return kind === "endnote" ? `e${id}` : id;
}

class BodyReader {
  html = "";
  hasPages = false;
  /** The notes that the text refers to. */
  readonly notes = new Set<string>();
  readonly #context: DocxRuns;
  readonly #lists = new NestedLists();
  #page = 1;
  #code: string[] = [];

  constructor(context: DocxRuns) {
    this.#context = context;
  }

  /** Reads the paragraphs and tables below `parent`, also in content controls and revisions. */
  async readBlocks(parent: Element, depth: number): Promise<void> {
    for (const element of children(parent)) {
      const { localName } = element;
      if (localName === "p") await this.#readParagraph(element, depth);
      else if (localName === "tbl" && depth >= maxDepth) this.#context.omitted.add("table");
      else if (localName === "tbl") await this.#readTable(element, depth);
      else if (localName === "oMathPara" || localName === "oMath")
        this.html += readBareEquation(element);
      else if (localName === "sdt") await this.#readControl(element, depth);
      else if (/^(ins|moveTo|smartTag|customXml)$/.test(localName ?? ""))
        await this.readBlocks(element, depth);
    }
    if (depth === 0 || parent.localName !== "sdtContent") this.#flush();
  }

  async #readControl(element: Element, depth: number): Promise<void> {
    const gallery = child(element, "sdtPr", "docPartObj", "docPartGallery");
    if (attribute(gallery, "val") === "Table of Contents") return;
    const content = child(element, "sdtContent");
    if (content && depth < maxDepth) await this.readBlocks(content, depth + 1);
  }

  async #readParagraph(element: Element, depth: number): Promise<void> {
    const properties = child(element, "pPr");
    const style = this.#context.styles.paragraph(properties);
    if (style.isContents) return;
    const { runs, breaks, boxes, notes, pictures } = await readRuns(element, this.#context);
    for (const note of notes) this.notes.add(note);
    const isBreakBefore = breaks > 0 && depth === 0;
    const content = renderRuns(
      trimRuns(style.heading !== undefined ? runs.map(withoutBold) : runs),
    );
    if (isBreakBefore) {
      this.#flush();
      this.#page += breaks;
      this.hasPages = true;
      this.html += pageMark(this.#page);
    }
    if (style.isCode && !style.list) {
      this.#code.push(runs.map(({ text }) => text).join(""));
    } else if (content !== "" && style.heading !== undefined) {
      this.#flush();
      const tag = style.heading === 0 ? "doc-title" : `h${style.heading}`;
      this.html += `<${tag}>${content}</${tag}>`;
    } else if (content !== "" && style.list) {
      this.#flushCode();
      const { isOrdered, start } = this.#context.styles.listLevel(style.list);
      this.#lists.add(content, style.list.id, style.list.depth, isOrdered, start);
    } else if (content !== "") {
      this.#flush();
      this.html += style.isQuote
        ? `<blockquote><p>${content}</p></blockquote>`
        : `<p>${content}</p>`;
    }
    if (pictures !== "") {
      this.#flush();
      this.html += `<p>${pictures}</p>`;
    }
    for (const box of depth < maxDepth ? boxes : []) await this.readBlocks(box, depth + 1);
  }

  async #readTable(table: Element, depth: number): Promise<void> {
    this.#flush();
    const rows: string[] = [];
    const open = new Map<number, { row: number; index: number }>();
    const cells: { html: string; span: number; rows: number }[][] = [];
    for (const [y, row] of [...descendantRows(table)].entries()) {
      let x = 0;
      const line: { html: string; span: number; rows: number }[] = [];
      cells.push(line);
      for (const cell of rowCells(row)) {
        const properties = child(cell, "tcPr");
        const span = numberAttribute(child(properties, "gridSpan"), "val") ?? 1;
        const merge = child(properties, "vMerge");
        const above = open.get(x);
        const origin = above && cells[above.row]?.[above.index];
        if (merge && attribute(merge, "val") !== "restart" && origin) {
          origin.rows++;
        } else {
          const reader = new BodyReader(this.#context);
          await reader.readBlocks(cell, depth + 1);
          for (const note of reader.notes) this.notes.add(note);
          open.set(x, { row: y, index: line.length });
          line.push({ html: reader.html, span, rows: 1 });
        }
        x += Math.max(1, span);
      }
    }
    for (const line of cells) {
      const tags = line.map(
        ({ html, span, rows: height }) => `<td colspan="${span}" rowspan="${height}">${html}</td>`,
      );
      rows.push(`<tr>${tags.join("")}</tr>`);
    }
    this.html += `<table>${rows.join("")}</table>`;
  }

  #flushCode(): void {
    if (this.#code.length === 0) return;
    this.html += `<pre><code>${escapeHtml(this.#code.join("\n"))}</code></pre>`;
    this.#code = [];
  }

  #flush(): void {
    this.html += this.#lists.take();
    this.#flushCode();
  }
}

/** An equation that is not in a paragraph, as some programs write it. */
function readBareEquation(element: Element): string {
  const equations = element.localName === "oMath" ? [element] : children(element, "oMath");
  return equations.map((one) => equationHtml(ommlToTex(one), true)).join("");
}

function withoutBold(run: StyledText): StyledText {
  return { ...run, bold: false };
}

function* descendantRows(table: Element): Generator<Element> {
  for (const element of children(table)) {
    if (element.localName === "tr") yield element;
    else if (/^(sdt|sdtContent|ins|customXml)$/.test(element.localName ?? ""))
      yield* descendantRows(element);
  }
}

function* rowCells(row: Element): Generator<Element> {
  for (const element of children(row)) {
    if (element.localName === "tc") yield element;
    else if (/^(sdt|sdtContent|customXml)$/.test(element.localName ?? "")) yield* rowCells(element);
  }
}
