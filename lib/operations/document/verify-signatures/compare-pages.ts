import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import type { RevisionChange } from "./revision-changes.ts";

/**
 * What changes without a new object: entries of pages and of the catalog that are removed, or that refer to
 * objects which the signed revision has already.
 */

/** Entries of the catalog that each later signature may change. */
const ofSignatures = ["AcroForm", "DSS", "Perms", "Metadata", "Extensions", "Version", "Pages"];

/** Entries of a page that do not change how it looks, and its annotations. */
const ofPrograms = ["Annots", "LastModified", "Metadata", "Parent", "PieceInfo", "Tabs", "Thumb"];

/** Entries that pages have from the nodes above them. */
const inherited = ["Resources", "MediaBox", "CropBox", "Rotate"].map(key);

/** The kinds of changes of the entries of pages, of their annotations and of the catalog. */
export function comparePages(before: PDFDocument, after: PDFDocument): Set<RevisionChange> {
  const found = new Set<RevisionChange>();
  if (differ(before.catalog, after.catalog, ofSignatures)) found.add("structure");
  const pages = after.getPages();
  for (const [index, page] of before.getPages().entries()) {
    const now = pages[index];
    if (!now || differ(page.node, now.node, ofPrograms) || differAbove(page, now)) {
      found.add("pages");
    }
    if (now) for (const role of compareAnnotations(page, now)) found.add(role);
  }
  return found;
}

function differ(before: PDFDict, after: PDFDict, ignored: readonly string[]): boolean {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].some(
    (name) =>
      !ignored.includes(name.decodeText()) &&
      before.get(name)?.toString() !== after.get(name)?.toString(),
  );
}

function differAbove({ node: before }: PDFPage, { node: after }: PDFPage): boolean {
  return inherited.some(
    (name) =>
      before.getInheritableAttribute(name)?.toString() !==
      after.getInheritableAttribute(name)?.toString(),
  );
}

/** The kinds of annotations that were added to a page or removed from it. */
function compareAnnotations(before: PDFPage, after: PDFPage): RevisionChange[] {
  const old = listAnnotations(before);
  const now = listAnnotations(after);
  const changed = [...now].filter(([id]) => !old.has(id));
  changed.push(...[...old].filter(([id]) => !now.has(id)));
  return changed.map(([, annotation]) => annotationRole(annotation));
}

/** The annotations of a page, by their references, or by their content if they have none. */
function listAnnotations({ node }: PDFPage): Map<string, PDFDict> {
  const list = node.lookup(PDFName.of("Annots"));
  const items = list instanceof PDFArray ? list.asArray() : [];
  const annotations = new Map<string, PDFDict>();
  for (const item of items) {
    const annotation = node.context.lookup(item);
    if (annotation instanceof PDFDict) annotations.set(item.toString(), annotation);
  }
  return annotations;
}

/** The kind of change that another annotation is. */
export function annotationRole(annotation: PDFDict): RevisionChange {
  if (annotation.get(key("Subtype")) !== key("Widget")) return "annotations";
  const parent = annotation.lookup(key("Parent"));
  const type =
    annotation.lookup(key("FT")) ??
    (parent instanceof PDFDict ? parent.lookup(key("FT")) : undefined);
  return type === key("Sig") ? "signatures" : "form_values";
}
