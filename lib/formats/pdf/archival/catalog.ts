import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import type { ArchivalLevel } from "./levels.ts";
import { arrayAt, dictAt, dictOf, key } from "./walk.ts";

/** Entries of the catalog and of pages that PDF/A forbids; layers; resources of pages. */
export function conformCatalog(
  document: PDFDocument,
  level: ArchivalLevel,
): { readonly layers: boolean; readonly scripts: boolean } {
  const { catalog } = document;
  // The version is that of the header.
  for (const name of ["AA", "Perms", "Requirements", "NeedsRendering", "Version", "Legal"]) {
    catalog.delete(key(name));
  }
  const names = dictAt(catalog, "Names");
  const scripts = names?.has(key("JavaScript")) ?? false;
  for (const name of ["JavaScript", "AlternatePresentations", "Renditions"]) {
    names?.delete(key(name));
  }
  const form = dictAt(catalog, "AcroForm");
  form?.delete(key("XFA"));
  form?.delete(key("NeedAppearances"));
  for (const page of document.getPages()) {
    // Inherited ones do not count.
    page.node.set(key("Resources"), page.node.Resources() ?? document.context.obj({}));
    for (const name of ["AA", "PresSteps"]) page.node.delete(key(name));
  }
  if (level === "1b") return { layers: catalog.delete(key("OCProperties")), scripts };
  conformLayers(document);
  return { layers: false, scripts };
}

/** Every configuration of layers has a name of its own, and none changes layers by itself. */
function conformLayers({ catalog, context }: PDFDocument): void {
  const properties = dictAt(catalog, "OCProperties");
  if (!properties) return;
  const all = arrayAt(properties, "OCGs");
  const standard = dictAt(properties, "D");
  const others = arrayAt(properties, "Configs").map((item) => dictOf(context.lookup(item)));
  for (const [index, config] of [standard, ...others].entries()) {
    if (!config) continue;
    config.delete(key("AS"));
    config.set(key("Name"), PDFString.of(index === 0 ? "Standard" : `Configuration ${index}`));
    const order = config.lookup(key("Order"));
    if (order instanceof PDFArray) {
      const listed = new Set(flatten(order).map(String));
      for (const group of all) if (!listed.has(`${group}`)) order.push(group);
    }
  }
  for (const group of all) {
    const dict = context.lookup(group);
    if (dict instanceof PDFDict && dict.lookup(key("Name")) instanceof PDFName) {
      dict.set(key("Name"), PDFString.of("Layer"));
    }
  }
}

const maxDepth = 50;

function flatten(array: PDFArray, depth = 0): unknown[] {
  if (depth > maxDepth) return [];
  return array
    .asArray()
    .flatMap((item) => (item instanceof PDFArray ? flatten(item, depth + 1) : [item]));
}
