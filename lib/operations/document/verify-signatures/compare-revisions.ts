import { createHash } from "node:crypto";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { annotationRole, comparePages } from "./compare-pages.ts";
import { type RevisionChange, revisionChanges } from "./revision-changes.ts";

/** The kinds of changes from `signed` to `document`, in the order of the list. */
export async function compareRevisions(
  signed: Buffer,
  document: PDFDocument,
): Promise<RevisionChange[]> {
  const before = await PDFDocument.load(signed, {
    updateMetadata: false,
    warnOnInvalidObjects: false,
    preserveXFA: true,
    ignoreEncryption: true,
    parseSpeed: Number.POSITIVE_INFINITY,
  });
  const old = new Map(
    before.context.enumerateIndirectObjects().map(([ref, object]) => [ref, object]),
  );
  const roles = rolesOf(document);
  const found = new Set<RevisionChange>();
  for (const [ref, object] of document.context.enumerateIndirectObjects()) {
    const previous = old.get(ref);
    if (isFileStructure(object) || (previous && fingerprint(previous) === fingerprint(object)))
      continue;
    const role = roles.has(ref) ? roles.get(ref) : roleOf(object);
    if (role) found.add(role);
  }
  for (const change of comparePages(before, document)) found.add(change);
  if (before.getPageCount() !== document.getPageCount()) found.add("pages");
  return revisionChanges.filter((change) => found.has(change));
}

function fingerprint(object: PDFObject): string {
  if (!(object instanceof PDFStream)) return object.toString();
  const hash = createHash("sha256").update(object.getContents()).digest("hex");
  return `${object.dict.toString()} ${hash}`;
}

const structureTypes = [key("XRef"), key("ObjStm")];

function isFileStructure(object: PDFObject): boolean {
  if (!(object instanceof PDFStream)) return false;
  return structureTypes.some((type) => object.dict.get(key("Type")) === type);
}

/** The kinds of the objects that a document reaches from its pages, its form and its catalog. */
function rolesOf(document: PDFDocument): Map<PDFRef, RevisionChange | undefined> {
  const roles = new Map<PDFRef, RevisionChange | undefined>();
  const { catalog, context } = document;
  const mark = (object: PDFObject | undefined, role: RevisionChange | undefined) => {
    if (object instanceof PDFRef && !roles.has(object)) roles.set(object, role);
  };
  // Both change with each new field; what matters is the field itself.
  mark(context.trailerInfo.Root, undefined);
  mark(catalog.get(key("AcroForm")), undefined);
  markBelow(document, catalog.get(key("DSS")), "validation_data", roles);
  mark(catalog.get(key("Metadata")), "metadata");
  mark(context.trailerInfo.Info, "metadata");
  for (const page of document.getPages()) {
    mark(page.node.get(key("Annots")), undefined);
    const annotations = page.node.lookup(key("Annots"));
    for (const item of annotations instanceof PDFArray ? annotations.asArray() : []) {
      const annotation = context.lookup(item);
      if (!(annotation instanceof PDFDict)) continue;
      const role = annotationRole(annotation);
      mark(item, role);
      markBelow(document, annotation.get(key("AP")), role, roles);
      if (role === "signatures") mark(annotation.get(key("V")), role);
    }
    // A page object changes if an annotation is added to it, which is reported by itself.
    mark(page.ref, undefined);
    markBelow(document, page.node.get(key("Contents")), "pages", roles);
    markBelow(document, page.node.get(key("Resources")), "pages", roles);
  }
  return roles;
}

function roleOf(object: PDFObject): RevisionChange | undefined {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict)) return undefined;
  const type = dict.get(key("Type"));
  if (type === key("Sig") || type === key("DocTimeStamp")) return "signatures";
  if (type === key("Pages") || type === key("Page")) return "pages";
  if (dict.has(key("FT")) || dict.has(key("T"))) return "form_values";
  return type instanceof PDFName || dict.keys().length > 0 ? "structure" : undefined;
}

const maxMarked = 200_000;

function markBelow(
  { context }: PDFDocument,
  start: PDFObject | undefined,
  role: RevisionChange,
  roles: Map<PDFRef, RevisionChange | undefined>,
): void {
  const waiting: PDFObject[] = start ? [start] : [];
  for (let count = 0; waiting.length > 0 && count < maxMarked; count++) {
    const object = waiting.pop();
    if (object instanceof PDFRef) {
      if (roles.has(object)) continue;
      roles.set(object, role);
      const target = context.lookup(object);
      if (target) waiting.push(target);
    } else if (object instanceof PDFArray) waiting.push(...object.asArray());
    else if (object instanceof PDFStream) waiting.push(...object.dict.values());
    else if (object instanceof PDFDict && object.get(key("Type")) !== key("Page"))
      waiting.push(...object.values());
  }
}
