import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFRef } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import {
  annotationsOf,
  appearanceOf,
  needsAppearances,
} from "#lib/formats/pdf/forms/annotations.ts";
import { mediaView } from "#lib/formats/pdf/structure/page-boxes.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";

/** Worker functions of `flattenPdf`. */

const name = (text: string) => PDFName.of(text);

const saveOptions = {
  useObjectStreams: false,
  addDefaultPage: false,
  updateFieldAppearances: false,
} as const;

/**
 * Writes the PDF with those annotations only that have an appearance, and one with the others only, on
 * pages that are otherwise empty. `stored` and `missing` in the result are their numbers.
 */
export const separateAnnotations = async ({ files: [file], work }: WorkerCall) => {
  if (!file) throw new Error("no file");
  const main = await openDocument(file);
  const others = await openDocument(file);
  return translateStructureErrors(async () => {
    const isStale = needsAppearances(main);
    const keep = (document: PDFDocument, appearance: string) => {
      let count = 0;
      for (const page of document.getPages()) {
        const found = annotationsOf(page).filter(
          ({ dict }) => appearanceOf(dict, isStale) === appearance,
        );
        count += found.length;
        page.node.set(name("Annots"), document.context.obj(found.map(({ entry }) => entry)));
      }
      return count;
    };
    const result = { stored: keep(main, "stored"), missing: keep(others, "missing") };
    const first = work.scratch("pdf");
    const second = work.scratch("pdf");
    await writeNew(first.path, await main.save(saveOptions));
    if (result.missing === 0) return { outputs: [first], result };
    for (const page of others.getPages()) {
      const [left, bottom, right, top] = mediaView(page).corners;
      const box = [left, bottom, right - left, top - bottom] as const;
      for (const entry of [
        "Contents",
        "Rotate",
        "CropBox",
        "TrimBox",
        "BleedBox",
        "ArtBox",
        "Group",
      ]) {
        page.node.delete(name(entry));
      }
      // Both may be inherited from the page tree.
      page.node.set(name("Rotate"), others.context.obj(0));
      page.setMediaBox(...box);
      page.setCropBox(...box);
    }
    await writeNew(second.path, await others.save(saveOptions));
    return { outputs: [first, second], result };
  });
};

/**
 * Removes all annotations, the form and all actions that run by themselves. The pages of the second file,
 * if there is one, are drawn over those of the first one.
 */
export const finishFlattening = async ({ files, work }: WorkerCall) => {
  const [file, overlay] = files;
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    if (overlay) await drawOver(document, overlay);
    for (const page of document.getPages()) {
      for (const entry of page.node.Annots()?.asArray() ?? []) {
        // The structure tree may refer to it too.
        if (entry instanceof PDFRef) document.context.delete(entry);
      }
      for (const entry of ["Annots", "AA", "PresSteps"]) page.node.delete(name(entry));
    }
    removeInteraction(document);
    const output = work.scratch("pdf");
    await writeNew(output.path, await document.save(saveOptions));
    return { outputs: [output] };
  });
};

async function drawOver(document: PDFDocument, overlay: WorkFile): Promise<void> {
  const pages = document.getPages();
  const embedded = await document.embedPdf(
    await readRegular(overlay.path),
    pages.map((_, index) => index),
  );
  for (const [index, page] of pages.entries()) {
    const drawn = embedded[index];
    const [x, y, right, top] = mediaView(page).corners;
    if (drawn) page.drawPage(drawn, { x, y, width: right - x, height: top - y });
  }
}

function removeInteraction(document: PDFDocument): void {
  const { catalog } = document;
  for (const entry of ["AcroForm", "AA", "Perms", "NeedsRendering", "Collection"]) {
    catalog.delete(name(entry));
  }
  const opening = catalog.lookup(name("OpenAction"));
  // A destination, or an action that goes to one, only says which page is shown first.
  const isDestination =
    opening instanceof PDFArray ||
    (opening instanceof PDFDict && opening.lookup(name("S")) === name("GoTo"));
  if (!isDestination) catalog.delete(name("OpenAction"));
  const names = catalog.lookup(name("Names"));
  if (names instanceof PDFDict) names.delete(name("JavaScript"));
}
