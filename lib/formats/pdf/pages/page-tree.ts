import { limitError } from "#lib/limits/limits.ts";
import type { PdfFile } from "../objects/file.ts";
import { isDict, type PdfDict, type PdfName, PdfRef, type PdfValue } from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";

export interface PdfPage {
  /** The object number; undefined for a page that is written in its parent. */
  readonly number: number | undefined;
  /** The page with the attributes that it inherits. */
  readonly dict: PdfDict;
}

/** Attributes that pages inherit from the nodes above (ISO 32000-1, 7.7.3.4). */
const inheritedNames = ["/Resources", "/MediaBox", "/CropBox", "/Rotate"] as const;

/** Deeper trees are damaged or malicious. */
const maxDepth = 500;

/** Lists the pages of a file in order. Throws `JobError("too_complex")` if there are too many. */
export function listPages(file: PdfFile, maxPages: number): PdfPage[] {
  const pages: PdfPage[] = [];
  const path = new Set<number>();
  let nodes = 0;
  const visit = (value: PdfValue, inherited: PdfDict, depth: number): void => {
    const number = value instanceof PdfRef ? value.number : undefined;
    const node = file.resolve(value);
    if (!isDict(node) || depth > maxDepth) return;
    if (number !== undefined && path.has(number)) return;
    if (++nodes > 2 * maxPages) throw limitError("pdfPages", maxPages);
    const own: Record<PdfName, PdfValue> = { ...inherited };
    for (const name of inheritedNames) {
      const attribute = node[name];
      if (attribute !== undefined) own[name] = attribute;
    }
    const isLeaf = node["/Type"] === "/Page" || !("/Kids" in node);
    if (isLeaf) {
      if (pages.length >= maxPages) throw limitError("pdfPages", maxPages);
      pages.push({ number, dict: { ...own, ...node } });
      return;
    }
    if (number !== undefined) path.add(number);
    for (const kid of file.array(node["/Kids"])) visit(kid, own, depth + 1);
    if (number !== undefined) path.delete(number);
  };
  visit(file.catalog["/Pages"] ?? null, {}, 0);
  return pages;
}

/** Pages of a node; readers find a page faster in a tree than in one long list. */
const nodeSize = 100;

/** Writes pages into a tree with the root `root`. `write` gets the parent of each page. */
export function writePageTree(
  writer: PdfWriter,
  root: PdfRef,
  count: number,
  write: (index: number, parent: PdfRef) => PdfRef,
): void {
  const writeNode = (ref: PdfRef, first: number, end: number, more: PdfDict) => {
    const kids: PdfRef[] = [];
    for (let index = first; index < end; index++) kids.push(write(index, ref));
    writer.write(ref, { "/Type": "/Pages", "/Kids": kids, "/Count": kids.length, ...more });
  };
  if (count <= nodeSize) {
    writeNode(root, 0, count, {});
    return;
  }
  const nodes: PdfRef[] = [];
  for (let first = 0; first < count; first += nodeSize) {
    const node = writer.allocate();
    writeNode(node, first, Math.min(count, first + nodeSize), { "/Parent": root });
    nodes.push(node);
  }
  writer.write(root, { "/Type": "/Pages", "/Kids": nodes, "/Count": count });
}
