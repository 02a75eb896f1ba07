import type { Element, Node } from "@xmldom/xmldom";
import { attribute, children, descendants, isElement } from "#lib/formats/office/package/xml.ts";
import { splitTags, type Tag } from "./tags.ts";

/**
 * Makes each tag of a text (DOCX, PPTX) a run of its own, marked by attributes: programs split tags over
 * runs where a spelling or a format changes.
 */

const marks = { kind: "template-kind", name: "template-name", place: "template-place" } as const;

export interface TagRun {
  readonly run: Element;
  readonly tag: Tag;
  readonly place: string;
}

/** Splits the runs of all paragraphs below `root`. `part` names it in errors, such as `slide 2`. */
export function markTags(root: Element, part: string): void {
  const paragraphs = [...descendants(root, "p")];
  for (const [index, paragraph] of paragraphs.entries()) {
    markParagraph(paragraph, `${part}, paragraph ${index + 1}`);
  }
}

/** The marked runs in a node, in order. */
export function* tagRuns(node: Node): Generator<TagRun> {
  if (isElement(node)) yield* readMark(node);
  for (const run of descendants(node, "r")) yield* readMark(run);
}

function* readMark(run: Element): Generator<TagRun> {
  const kind = attribute(run, marks.kind) as Tag["kind"] | undefined;
  if (run.localName !== "r" || kind === undefined) return;
  const name = attribute(run, marks.name) ?? "";
  yield { run, tag: { kind, name }, place: attribute(run, marks.place) ?? "" };
}

export function unmark(run: Element): void {
  for (const name of Object.values(marks)) run.removeAttribute(name);
}

/** The nearest element called `name` that contains the node. */
export function closest(node: Node, name: string): Element | undefined {
  let found: Node | null = node.parentNode;
  while (found && !(isElement(found) && found.localName === name)) found = found.parentNode;
  return found ?? undefined;
}

function markParagraph(paragraph: Element, place: string): void {
  const texts = [...descendants(paragraph, "t")].filter(
    (text) =>
      text.namespaceURI === paragraph.namespaceURI &&
      isElement(text.parentNode) &&
      text.parentNode.localName === "r" &&
      closest(text, "p") === paragraph,
  );
  const joined = texts.map((text) => text.textContent ?? "").join("");
  const pieces = splitTags(joined, place);
  if (!pieces.some((piece) => typeof piece !== "string")) return;
  const contents = distribute(joined, pieces, texts);
  for (const run of new Set(texts.map((text) => text.parentNode as Element))) {
    if (
      children(run).some((text) => contents.get(text)?.some((piece) => typeof piece !== "string"))
    ) {
      splitRun(run, contents, place);
    } else {
      for (const text of children(run, "t")) text.textContent = contents.get(text)?.join("") ?? "";
    }
  }
}

/** What each text element gets: a tag is moved into the one in which it begins. */
function distribute(
  joined: string,
  pieces: readonly (string | Tag)[],
  texts: readonly Element[],
): Map<Element, (string | Tag)[]> {
  const contents = new Map<Element, (string | Tag)[]>(texts.map((text) => [text, []]));
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? 0) + (text.textContent ?? "").length);
  let position = 0;
  let index = 0;
  const current = (): (string | Tag)[] => {
    while ((ends[index] ?? Infinity) <= position) index++;
    return contents.get(texts[index] as Element) ?? [];
  };
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      current().push(piece);
      position = joined.indexOf("}", position) + 1;
      continue;
    }
    for (let left = piece; left; ) {
      const target = current();
      const length = Math.min(left.length, (ends[index] ?? Infinity) - position);
      target.push(left.slice(0, length));
      left = left.slice(length);
      position += length;
    }
  }
  return contents;
}

function splitRun(
  run: Element,
  contents: ReadonlyMap<Element, readonly (string | Tag)[]>,
  place: string,
): void {
  const parts = run.ownerDocument?.createDocumentFragment();
  if (!parts) throw new Error("a run has no document");
  const add = (child: Node): Element => {
    const copy = run.cloneNode(false) as Element;
    for (const properties of children(run, "rPr")) copy.appendChild(properties.cloneNode(true));
    copy.appendChild(child);
    parts.appendChild(copy);
    return copy;
  };
  for (const child of children(run)) {
    if (child.localName === "rPr") continue;
    const pieces = contents.get(child);
    if (!pieces) {
      add(child);
      continue;
    }
    for (const piece of pieces) {
      const text = child.cloneNode(false) as Element;
      const part = add(text);
      if (typeof piece === "string") {
        text.textContent = piece;
        keepSpace(text);
        continue;
      }
      part.setAttribute(marks.kind, piece.kind);
      part.setAttribute(marks.name, piece.name);
      part.setAttribute(marks.place, place);
    }
  }
  run.parentNode?.replaceChild(parts, run);
}

/** Word drops spaces at the ends of texts without it. */
export function keepSpace(text: Element): void {
  if (text.namespaceURI?.includes("wordprocessingml")) {
    text.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
  }
}
