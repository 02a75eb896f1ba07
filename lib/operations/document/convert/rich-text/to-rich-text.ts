import type { Page } from "#lib/formats/html/read-page.ts";
import { collapse } from "#lib/formats/html/white-space.ts";
import type { Block, Cell, Inline, Marks, RichText } from "./model.ts";
import { trimInlines } from "./white-space.ts";

/** Writes a page as the blocks that formats of office programs and e-books have. */

const markOf: Readonly<Record<string, keyof Marks>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  u: "underline",
  ins: "underline",
  s: "strike",
  strike: "strike",
  del: "strike",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
  sub: "sub",
  sup: "sup",
};

const blockElements = new Set(
  "p div section article main header footer aside figure figcaption address center dl dt dd body html fieldset details summary form".split(
    " ",
  ),
);

/** Deeper elements are read as if they were at this depth. */
const maxDepth = 200;
const maxListDepth = 9;

interface Position {
  readonly marks: Marks;
  readonly isRightToLeft: boolean;
  readonly depth: number;
  readonly listDepth: number;
  readonly isPreformatted?: true;
}

/** `resolvePicture` makes the key of a picture from its `src`; undefined leaves it out. */
export function toRichText(
  { title, language, document, body }: Page,
  resolvePicture: (src: string) => string | undefined,
): RichText {
  const start: Position = {
    marks: {},
    depth: 0,
    listDepth: 0,
    isRightToLeft: isRightToLeft(document.documentElement, isRightToLeft(body, false)),
  };
  return { title, language, blocks: new Reader(resolvePicture).readBlocks(body, start) };
}

function isRightToLeft(element: Element | null, inherited: boolean): boolean {
  const direction = element?.getAttribute("dir")?.toLowerCase();
  return direction === "rtl" || (direction !== "ltr" && inherited);
}

class Reader {
  readonly #resolvePicture: (src: string) => string | undefined;

  constructor(resolvePicture: (src: string) => string | undefined) {
    this.#resolvePicture = resolvePicture;
  }

  readBlocks(parent: Element, position: Position): Block[] {
    const blocks: Block[] = [];
    let inlines: Inline[] = [];
    const flush = () => {
      const trimmed = trimInlines(inlines);
      inlines = [];
      if (trimmed.length === 0) return;
      blocks.push({
        kind: "paragraph",
        inlines: trimmed,
        isRightToLeft: position.isRightToLeft,
      });
    };
    const read = (node: Node, here: Position): void => {
      if (node.nodeType === 3) {
        const text = node.nodeValue ?? "";
        if (text) inlines.push({ kind: "text", text: collapse(text), marks: here.marks });
        return;
      }
      if (node.nodeType !== 1) return;
      const element = node as Element;
      const name = element.localName;
      if (name === "page-mark") return;
      const inner = enter(element, here);
      const block = this.#readBlock(element, inner);
      if (block) {
        flush();
        blocks.push(...block);
      } else if (name === "tex-math") {
        inlines.push({ kind: "text", text: `$${element.textContent}$`, marks: here.marks });
      } else if (name === "br") {
        inlines.push({ kind: "text", text: "\n", marks: here.marks });
      } else if (name === "img") {
        const picture = this.#readPicture(element);
        if (picture) inlines.push(picture);
      } else if (here.depth >= maxDepth) {
        inlines.push({
          kind: "text",
          text: collapse(element.textContent ?? ""),
          marks: here.marks,
        });
      } else {
        for (const child of Array.from(element.childNodes)) read(child, inner);
      }
    };
    for (const child of Array.from(parent.childNodes)) read(child, position);
    flush();
    return blocks;
  }

  /** The blocks of a block element; undefined for an inline one. */
  #readBlock(element: Element, position: Position): Block[] | undefined {
    const name = element.localName;
    if (position.depth >= maxDepth) return undefined;
    const heading = /^h([1-6])$/.exec(name);
    if (heading) {
      return this.readBlocks(element, { ...position, marks: {} }).map((block) =>
        block.kind === "paragraph" ? { ...block, level: Number(heading[1]) } : block,
      );
    }
    if (blockElements.has(name)) {
      // LibreOffice marks the page's header and footer so.
      if (/^(header|footer)$/.test(element.getAttribute("title") ?? "")) return [];
      return this.readBlocks(element, position);
    }
    if (name === "ul" || name === "ol") return this.#readList(element, position);
    if (name === "table") return this.#readTable(element, position);
    if (name === "blockquote")
      return [{ kind: "quote", blocks: this.readBlocks(element, position) }];
    if (name === "pre") {
      return [{ kind: "code", text: (element.textContent ?? "").replace(/^\n/, "").trimEnd() }];
    }
    if (name === "tex-math" && element.hasAttribute("display")) {
      const text = `$$${element.textContent}$$`;
      const inlines = [{ kind: "text", text, marks: {} }] as const;
      return [{ kind: "paragraph", inlines, isRightToLeft: false }];
    }
    return name === "hr" ? [{ kind: "rule" }] : undefined;
  }

  #readList(element: Element, position: Position): Block[] {
    const inner = { ...position, listDepth: position.listDepth + 1 };
    const items = Array.from(element.children).map((child) =>
      child.localName === "li"
        ? this.readBlocks(child, inner)
        : (this.#readBlock(child, inner) ?? this.readBlocks(child, inner)),
    );
    if (inner.listDepth > maxListDepth) return items.flat();
    if (items.length === 0) return [];
    // LibreOffice writes numbered headings so.
    const isHeading = (block: Block) => block.kind === "paragraph" && block.level !== undefined;
    if (items.flat().every(isHeading)) return items.flat();
    const isOrdered = element.localName === "ol";
    const start = Math.trunc(Number(element.getAttribute("start") ?? 1));
    return [
      { kind: "list", items, ...(isOrdered ? { start: clamp(start, 0, 1_000_000) || 1 } : {}) },
    ];
  }

  #readTable(element: Element, position: Position): Block[] {
    const rows: Cell[][] = [];
    const captions: Block[] = [];
    const readRows = (parent: Element, isHead: boolean): void => {
      for (const child of Array.from(parent.children)) {
        const name = child.localName;
        if (name === "caption") captions.push(...this.readBlocks(child, position));
        if (/^(thead|tbody|tfoot)$/.test(name)) readRows(child, name === "thead");
        if (name === "tr") rows.push(this.#readRow(child, position, isHead));
      }
    };
    readRows(element, false);
    const filled = rows.filter((row) => row.length > 0);
    return filled.length > 0 ? [...captions, { kind: "table", rows: filled }] : captions;
  }

  #readRow(row: Element, position: Position, isHead: boolean): Cell[] {
    return Array.from(row.children)
      .filter(({ localName }) => localName === "td" || localName === "th")
      .map((cell) => ({
        blocks: this.readBlocks(cell, enter(cell, position)),
        isHeader: isHead || cell.localName === "th",
        columns: readSpan(cell, "colspan", 1000),
        rows: readSpan(cell, "rowspan", 1000),
      }));
  }

  #readPicture(element: Element): Inline | undefined {
    const alt = collapse(element.getAttribute("alt") ?? "").trim();
    const source = this.#resolvePicture(element.getAttribute("src") ?? "");
    if (source === undefined) return alt ? { kind: "text", text: alt, marks: {} } : undefined;
    const width = Number.parseInt(element.getAttribute("width") ?? "", 10);
    return { kind: "picture", source, alt, ...(width > 0 ? { width: clamp(width, 1, 2000) } : {}) };
  }
}

function enter(element: Element, position: Position): Position {
  const name = element.localName;
  const mark = markOf[name];
  const href = name === "a" ? readLink(element.getAttribute("href") ?? "") : undefined;
  const { underline, ...others } = { ...position.marks, ...(mark ? { [mark]: true } : {}) };
  const link = href ?? others.href;
  return {
    ...position,
    depth: position.depth + 1,
    isRightToLeft: isRightToLeft(element, position.isRightToLeft),
    // Links are underlined anyway.
    marks: { ...others, ...(link ? { href: link } : underline ? { underline } : {}) },
  };
}

function readLink(href: string): string | undefined {
  if (!/^(https?:|mailto:)/i.test(href) || href.length > 2048) return undefined;
  return URL.canParse(href) ? new URL(href).href : undefined;
}

const clamp = (value: number, min: number, max: number) =>
  Number.isFinite(value) ? Math.min(Math.max(value, min), max) : min;

const readSpan = (cell: Element, name: string, max: number) =>
  clamp(Number.parseInt(cell.getAttribute(name) ?? "1", 10), 1, max);
