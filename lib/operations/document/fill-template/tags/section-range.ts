import type { Element, Node } from "@xmldom/xmldom";
import { descendants, isElement } from "#lib/formats/office/package/xml.ts";
import { closest, type TagRun } from "./split-runs.ts";
import { tagText, templateError } from "./tags.ts";

/** What a section repeats, and the node before which its repetitions are inserted. */
interface SectionRange {
  readonly units: readonly Node[];
  readonly marker: Node;
}

/**
 * The content of a section: the runs of one paragraph, the paragraphs between two, the table row that
 * has both tags in different cells, or the rows from one to another. Both tags are removed, with their
 * paragraphs and rows if these have nothing else. Throws `JobError("corrupt")`.
 */
export function sectionRange(start: TagRun, end: TagRun): SectionRange {
  const ancestor = commonAncestor(start.run, end.run);
  if (!ancestor || ["spTree", "grpSp", "cSld"].includes(ancestor.localName ?? "")) {
    throw misplaced(start);
  }
  const isInline = closest(start.run, "p") === closest(end.run, "p");
  const isRow = !isInline && ancestor.localName === "tr";
  const first = isRow ? ancestor : childToward(ancestor, start.run);
  const last = isRow ? ancestor : childToward(ancestor, end.run);
  for (const edge of [first, last]) {
    if (!isInline && !isRow && isElement(edge) && ["tbl", "sp"].includes(edge.localName ?? "")) {
      throw misplaced(start);
    }
  }
  const units: Node[] = [];
  for (let node: Node | null = first; node; node = node.nextSibling) {
    units.push(node);
    if (node === last) break;
  }
  const parent = first.parentNode;
  const marker = first.ownerDocument?.createComment("");
  if (!parent || !marker) throw new Error("a section has no parent");
  parent.insertBefore(marker, first);
  for (const { run } of [start, end]) run.parentNode?.removeChild(run);
  const dropped = [first, last].filter(
    (edge) => edge === start.run || edge === end.run || (!isInline && !isRow && isBlank(edge)),
  );
  for (const node of dropped) node.parentNode?.removeChild(node);
  return { units: units.filter((unit) => !dropped.includes(unit)), marker };
}

function misplaced({ tag, place }: TagRun): Error {
  const reason = "it must be closed in the same text box, table row or sequence of paragraphs";
  return templateError(place, tagText(tag), reason);
}

function commonAncestor(one: Node, other: Node): Element | undefined {
  const ancestors = new Set<Node>();
  for (let node = one.parentNode; node; node = node.parentNode) ancestors.add(node);
  let found: Node | null = other.parentNode;
  while (found && !ancestors.has(found)) found = found.parentNode;
  return isElement(found) ? found : undefined;
}

function childToward(ancestor: Node, node: Node): Node {
  let found = node;
  while (found.parentNode && found.parentNode !== ancestor) found = found.parentNode;
  return found;
}

/** Whether a paragraph or row shows nothing and ends no section of the document. */
function isBlank(node: Node): boolean {
  if (!isElement(node) || node.textContent?.trim()) return false;
  const content = ["drawing", "pict", "object", "sectPr", "pic", "br", "fld", "vMerge"];
  if ([...descendants(node, "r")].some((run) => run.hasAttribute("template-kind"))) return false;
  return !content.some((name) => !descendants(node, name).next().done);
}
