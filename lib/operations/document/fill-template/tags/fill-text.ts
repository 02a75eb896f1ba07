import type { Element, Node } from "@xmldom/xmldom";
import { child, children, descendants, isElement } from "#lib/formats/office/package/xml.ts";
import type { GrowthLimit, Scope } from "./scope.ts";
import { sectionRange } from "./section-range.ts";
import { keepSpace, markTags, type TagRun, tagRuns, unmark } from "./split-runs.ts";
import { findClose, unexpectedClose } from "./tags.ts";

/** A run that a picture replaces, and the value of its tag. */
export interface PictureRun extends TagRun {
  readonly value: unknown;
}

/** Fills the texts of a part of a DOCX or PPTX file. Returns the places of pictures. */
export function fillText(
  root: Element,
  part: string,
  scope: Scope,
  limit: GrowthLimit,
): PictureRun[] {
  markTags(root, part);
  const pictures: PictureRun[] = [];
  fillNodes([root], scope, { limit, pictures, nextId: 1 });
  repairTables(root);
  return pictures;
}

interface Filling {
  readonly limit: GrowthLimit;
  readonly pictures: PictureRun[];
  nextId: number;
}

/**
 * Fills the nodes, sections first: their rows and paragraphs may hold tags outside of them, which
 * repeat as well.
 */
function fillNodes(nodes: readonly Node[], scope: Scope, filling: Filling): void {
  const tags = nodes.flatMap((node) => [...tagRuns(node)]);
  const repeated = new Set<Element>();
  for (let index = 0; index < tags.length; index++) {
    const start = tags[index];
    if (!start || repeated.has(start.run)) continue;
    if (start.tag.kind === "close") throw unexpectedClose(start);
    if (start.tag.kind !== "open" && start.tag.kind !== "inverted") continue;
    const close = findClose(tags, index);
    const end = tags[close];
    if (!end) throw new Error("a tag is missing");
    for (const run of repeatSection(start, end, scope, filling)) repeated.add(run);
    index = close;
  }
  for (const entry of tags) {
    const { run, tag, place } = entry;
    if (repeated.has(run)) continue;
    if (tag.kind === "picture") {
      filling.pictures.push({ ...entry, value: scope.find(tag, place) });
    } else {
      const text = `${scope.print(tag, place)}`;
      filling.limit.write(text);
      writeText(run, text);
    }
    unmark(run);
  }
}

/** Replaces a section by its repetitions. Returns the runs of tags that were in it. */
function repeatSection(start: TagRun, end: TagRun, scope: Scope, filling: Filling): Element[] {
  const { units, marker } = sectionRange(start, end);
  const runs = units.flatMap((unit) => [...tagRuns(unit)].map(({ run }) => run));
  const size = units.reduce((sum, unit) => sum + countElements(unit), 0);
  for (const unit of units) unit.parentNode?.removeChild(unit);
  // Changing a long list of nodes is slow, so each repetition is filled in a parent of its own.
  const parent = marker.parentNode;
  const filled = marker.ownerDocument?.createDocumentFragment();
  if (!parent || !filled) throw new Error("a section has no parent");
  for (const inner of scope.repeat(start.tag, start.place)) {
    filling.limit.repeat(size);
    const own = parent.cloneNode(false);
    const copies = units.map((unit) => own.appendChild(unit.cloneNode(true)));
    for (const copy of copies) makeIdsUnique(copy, filling);
    fillNodes(copies, inner, filling);
    while (own.firstChild) filled.appendChild(own.firstChild);
  }
  if (filled.firstChild) parent.insertBefore(filled, marker);
  marker.parentNode?.removeChild(marker);
  return [start.run, end.run, ...runs];
}

function countElements(node: Node): number {
  if (!isElement(node)) return 0;
  return children(node).reduce((sum, inner) => sum + countElements(inner), 1);
}

/** Word's ids of paragraphs are optional; PowerPoint's ids of rows and Word's of pictures are not. */
function makeIdsUnique(copy: Node, filling: Filling): void {
  for (const name of ["p", "tr"]) {
    for (const element of [copy, ...descendants(copy, name)]) {
      if (!isElement(element)) continue;
      for (const { name: id } of [...element.attributes]) {
        if (/:(paraId|textId)$/.test(id)) element.removeAttribute(id);
      }
    }
  }
  for (const row of descendants(copy, "rowId"))
    row.setAttribute("val", `${1e9 + filling.nextId++}`);
  for (const name of ["docPr", "cNvPr"]) {
    for (const picture of descendants(copy, name)) {
      picture.setAttribute("id", `${1e6 + filling.nextId++}`);
    }
  }
}

/** Writes a text with its line breaks and tabs into a run. */
function writeText(run: Element, value: string): void {
  const isWord = run.namespaceURI?.includes("wordprocessingml");
  const model = child(run, "t");
  if (!model) throw new Error("a run has no text");
  const lines = value.split(/\r\n|[\r\n\v\u2028]/);
  if (!isWord) {
    writeSlideLines(run, model, lines);
    return;
  }
  run.removeChild(model);
  const add = (name: string) => run.appendChild(createLike(run, name)) as Element;
  for (const [index, line] of lines.entries()) {
    if (index > 0) add("br");
    for (const [position, text] of line.split("\t").entries()) {
      if (position > 0) add("tab");
      if (!text) continue;
      const element = add("t");
      element.textContent = text;
      keepSpace(element);
    }
  }
}

function writeSlideLines(run: Element, model: Element, lines: readonly string[]): void {
  for (const line of lines.slice(0, -1)) {
    const copy = run.cloneNode(true) as Element;
    unmark(copy);
    for (const text of children(copy, "t")) text.textContent = line;
    run.parentNode?.insertBefore(copy, run);
    const end = createLike(run, "br");
    for (const properties of children(run, "rPr")) end.appendChild(properties.cloneNode(true));
    run.parentNode?.insertBefore(end, run);
  }
  model.textContent = lines.at(-1) ?? "";
}

/** A new element with the namespace and prefix of another. */
export function createLike(model: Element, name: string): Element {
  const qualified = model.prefix ? `${model.prefix}:${name}` : name;
  const document = model.ownerDocument;
  if (!document) throw new Error("an element has no document");
  return document.createElementNS(model.namespaceURI, qualified);
}

/** Cells and text boxes must have a paragraph, and tables a row. */
function repairTables(root: Element): void {
  for (const name of ["tc", "txBody", "txbxContent", "hdr", "ftr"]) {
    for (const element of [root, ...descendants(root, name)]) {
      if (element.localName !== name || element.namespaceURI?.includes("presentationml")) {
        if (element.localName !== "txBody") continue;
      }
      if (name === "tc" && child(element, "txBody")) continue;
      const last = children(element).at(-1);
      if (last?.localName === "p" || (last && name === "txBody" && child(element, "p"))) continue;
      const model = name === "txBody" ? child(element, "bodyPr") : element;
      if (model) element.appendChild(createLike(model, "p"));
    }
  }
  for (const table of [...descendants(root, "tbl")]) {
    if (table.namespaceURI?.includes("wordprocessingml") && !child(table, "tr")) {
      table.parentNode?.removeChild(table);
    }
  }
}
