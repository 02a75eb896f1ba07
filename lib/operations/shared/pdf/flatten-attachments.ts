import { PDFArray, type PDFDict, type PDFDocument, type PDFObject } from "@cantoo/pdf-lib";
import { dictAt, dictOf, key } from "#lib/formats/pdf/archival/walk.ts";

const maxDepth = 50;

/**
 * Writes the list of attached files as one node instead of a tree (ISO 32000-1, 7.9.6), because pdf-lib adds files
 * only to such a list. In a sandboxed worker only.
 */
export function flattenAttachments({ catalog, context }: PDFDocument): void {
  const names = dictAt(catalog, "Names");
  const root = names && dictAt(names, "EmbeddedFiles");
  if (!names || !root?.has(key("Kids"))) return;
  const entries: PDFObject[] = [];
  const visited = new Set<PDFDict>();
  const collect = (node: PDFDict, depth: number) => {
    if (visited.has(node) || depth > maxDepth) return;
    visited.add(node);
    const own = node.lookup(key("Names"));
    if (own instanceof PDFArray) entries.push(...own.asArray());
    const kids = node.lookup(key("Kids"));
    if (!(kids instanceof PDFArray)) return;
    for (const kid of kids.asArray()) {
      const below = dictOf(context.lookup(kid));
      if (below) collect(below, depth + 1);
    }
  };
  collect(root, 0);
  names.set(key("EmbeddedFiles"), context.obj({ Names: entries }));
}
