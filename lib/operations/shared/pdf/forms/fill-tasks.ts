import { PDFDocument, type PDFRef } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { applyField, finishForm, hasCalculations } from "#lib/formats/pdf/forms/apply-fill.ts";
import { formOf } from "#lib/formats/pdf/forms/collect-fields.ts";
import { flattenForm } from "#lib/formats/pdf/forms/flatten-form.ts";
import { type GivenValues, planFill } from "#lib/formats/pdf/forms/plan-fill.ts";
import { openDocument, translateStructureErrors } from "../open-document.ts";

/** Worker functions that fill a form in two steps; between them, Chromium draws the text. */

async function readValues(file: WorkFile | undefined): Promise<GivenValues> {
  if (!file) throw new Error("no values");
  // The runner has validated and written them.
  return JSON.parse(await readRegular(file.path, "utf8")) as GivenValues;
}

/** Writes the text boxes to draw as JSON. The files are the PDF and the values. */
export const planTextBoxes = async ({ files: [pdf, values], work }: WorkerCall) => {
  if (!pdf) throw new Error("no file");
  const document = await openDocument(pdf);
  const given = await readValues(values);
  const planned = await translateStructureErrors(() => planFill(document, given));
  const boxes = planned.flatMap((field) => field.boxes.filter((box) => box !== undefined));
  const output = work.scratch("json");
  await writeNew(output.path, JSON.stringify(boxes));
  return { outputs: [output] };
};

/**
 * Fills the fields. The files are the PDF, the values, and a PDF with one page for each text box,
 * if there are any.
 */
export const fillFields = async ({ files, options, work }: WorkerCall<{ flatten: boolean }>) => {
  const [pdf, values, text] = files;
  if (!pdf) throw new Error("no file");
  const document = await openDocument(pdf);
  const given = await readValues(values);
  const result = await translateStructureErrors(async () => {
    const planned = planFill(document, given);
    const boxes = planned.flatMap((field) => field.boxes.filter((box) => box !== undefined));
    const drawn = (text ? await embedPages(document, text, boxes) : []).values();
    for (const field of planned) applyField(document, field, drawn);
    const form = formOf(document);
    const removedXfa = form !== undefined && finishForm(form);
    const calculates = form !== undefined && hasCalculations(form);
    if (options.flatten) flattenForm(document);
    return { removed_xfa: removedXfa, calculates, pages: document.getPageCount() };
  });
  const output = work.scratch("pdf");
  const saving = { updateFieldAppearances: false, addDefaultPage: false };
  await writeNew(output.path, await document.save(saving));
  return { outputs: [output], result };
};

/** Makes a form XObject of the top left corner of each page. */
async function embedPages(
  document: PDFDocument,
  file: WorkFile,
  boxes: readonly { readonly width: number; readonly height: number }[],
): Promise<PDFRef[]> {
  const source = await PDFDocument.load(await readRegular(file.path), { updateMetadata: false });
  const pages = source.getPages();
  if (pages.length !== boxes.length) throw new Error("the number of drawn texts differs");
  const corners = boxes.map(({ width, height }, index) => {
    const top = pages[index]?.getHeight() ?? 0;
    return { left: 0, right: width, bottom: top - height, top };
  });
  const embedded = await document.embedPages(pages, corners);
  for (const page of embedded) await page.embed();
  return embedded.map(({ ref }) => ref);
}
