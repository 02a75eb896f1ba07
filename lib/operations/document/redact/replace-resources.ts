import {
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import { isPdfDamage } from "../../shared/pdf/open-document.ts";
import { textEntries } from "./content/marked-content.ts";
import type { Rewriter } from "./content/rewriter.ts";
import { dropUnused } from "./content/used-names.ts";
import type { Losses } from "./losses.ts";
import { redactImage } from "./pictures/redact-image.ts";
import { readContents } from "./read-contents.ts";

/** The parts of a rewriter that write new XObjects and property lists. */
export function replaceResources(
  { context }: PDFDocument,
  areas: readonly Corners[],
  { replaced, marked }: Losses,
): Omit<Rewriter, "areas" | "regions" | "removesGlyph"> {
  const add = (category: string, resources: PDFDict, former: PDFObject, ref: PDFRef) => {
    const given = resources.lookup(key(category));
    const entries = given instanceof PDFDict ? given.clone() : context.obj({});
    // A PDF that was redacted before has such names already.
    let count = 1;
    while (entries.has(PDFName.of(`Redacted${count}`))) count++;
    const name = `Redacted${count}`;
    entries.set(PDFName.of(name), ref);
    resources.set(key(category), entries);
    replaced.set(former, ref);
    return name;
  };
  return {
    replaceImage: async (image, matrix, resources) => {
      const ref = context.register(await redactImage(image, matrix, areas));
      return add("XObject", resources, image, ref);
    },
    replaceForm: (form, content, resources, own) => {
      const dict = form.dict.clone();
      dropUnused(own, content);
      dict.set(key("Resources"), own);
      for (const name of ["Filter", "DecodeParms", "Metadata"]) dict.delete(key(name));
      const ref = context.register(PDFRawStream.of(dict, Buffer.from(content, "latin1")));
      return add("XObject", resources, form, ref);
    },
    replaceProperties: (properties, resources) => {
      const clean = properties.clone();
      for (const name of textEntries) clean.delete(key(name));
      return add("Properties", resources, properties, context.register(clean));
    },
    recordLoss: (owner, identifier) => {
      marked.set(owner, (marked.get(owner) ?? new Set()).add(identifier));
    },
  };
}

/**
 * Removes what was replaced from the resources of pages, forms and patterns that do not use it. Pages often share resources,
 * so that what one page has lost would remain in the file for another one.
 */
export function dropReplaced(document: PDFDocument, { replaced }: Losses): void {
  const isListed = (resources: PDFDict) =>
    ["XObject", "Properties"].some((category) => {
      const entries = resources.lookup(key(category));
      if (!(entries instanceof PDFDict)) return false;
      return entries.keys().some((name) => {
        const value = entries.lookup(name);
        return value !== undefined && replaced.has(value);
      });
    });
  const drop = (owner: PDFDict, readContent: () => string) => {
    const given = owner.lookup(key("Resources"));
    if (!(given instanceof PDFDict && isListed(given))) return;
    const resources = given.clone();
    try {
      dropUnused(resources, readContent());
    } catch (error) {
      // A damaged content could use all that it lists.
      if (!isPdfDamage(error)) throw error;
    }
    owner.set(key("Resources"), resources);
  };
  for (const page of document.getPages()) drop(page.node, () => readContents(page));
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream)) continue;
    drop(object.dict, () => Buffer.from(object.getContents()).toString("latin1"));
  }
}
