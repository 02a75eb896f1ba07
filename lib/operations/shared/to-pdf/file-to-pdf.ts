import { printDocument } from "#lib/engines/chromium/chromium.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import { importFile } from "#lib/engines/import/import-file.ts";
import { convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { officeFormat } from "#lib/formats/office/formats.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { ImageLayout } from "./image-pages.ts";
import { drawImages } from "./worker-functions.ts";

/** A4, in inches and points. */
const a4 = { inches: { width: 210 / 25.4, height: 297 / 25.4 }, longerSide: 842 } as const;

/** The margin of pages made of HTML: 1 cm, in inches. */
const htmlMargin = 1 / 2.54;

/** The least size of drawings (SVG) in pixels; a page of A4 has sharp edges then. */
export const drawingSize = { width: 1600 };

/**
 * The layout of pages as large as the image, but pictures without a print resolution are at most as
 * long as A4.
 */
const defaultLayout: ImageLayout = {
  margin: { top: 0, right: 0, bottom: 0, left: 0 },
  maxSide: a4.longerSide,
  frames: "documents",
};

/** Whether `fileToPdf` converts files of a type: PDF, images, office documents and HTML. */
export function convertsToPdf(type: MediaTypeId): boolean {
  return (
    type === "pdf" ||
    type === "html" ||
    officeFormat(type) !== undefined ||
    mediaType(type).kind === "image"
  );
}

/**
 * A PDF of the whole file, in the work folder: `input` itself if it is a PDF. HTML is printed on A4
 * with a margin of 1 cm. An image fills its page; of an animation, the first frame. `officePages`: of an
 * office document, only these pages (`1-3,5`). Throws `JobError`: `unsupported_type`, and what the
 * conversion of each type throws. A PDF is neither read nor checked.
 */
export async function fileToPdf(
  input: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
  { officePages = "" } = {},
): Promise<WorkFile> {
  const { id, kind } = input.type;
  if (id === "pdf") return input;
  if (kind === "image") return (await imagesToPdf([input], defaultLayout, work, signal)).file;
  const output = work.scratch("pdf");
  if (officeFormat(id)) {
    await convertToPdf({ input, output, work, pages: officePages, signal });
    return output;
  }
  if (id !== "html") {
    throw new JobError("unsupported_type", "Files of this type cannot be converted to PDF.");
  }
  const { inches } = a4;
  const margins = { top: htmlMargin, right: htmlMargin, bottom: htmlMargin, left: htmlMargin };
  const { warnings } = await printDocument({
    document: await readPageDocument(input, work.limits),
    paper: { ...inches, margins },
    options: { printBackground: true, generateTaggedPDF: true, generateDocumentOutline: true },
    output: output.path,
    limits: work.limits,
    network: work.network,
    signal,
  });
  for (const warning of warnings) work.warn(warning);
  return output;
}

/**
 * A PDF with a page for each image, in order. The data of JPEG and most PNG files is copied; see
 * `embedImage`. Throws `JobError` if an image is damaged or too large.
 */
export async function imagesToPdf(
  inputs: readonly InputFile[],
  layout: ImageLayout,
  work: WorkFolder,
  signal: AbortSignal,
  onProgress: (percent: number) => void = () => {},
): Promise<{ file: WorkFile; pages: number }> {
  const images: InputFile[] = [];
  for (const input of inputs) {
    images.push(await importFile(input, { raw: "preview", size: drawingSize }, work, signal));
  }
  const { outputs, result } = await callInWorker(drawImages, {
    files: images,
    options: layout,
    work,
    signal,
    onProgress,
  });
  const [file] = outputs;
  if (!file) throw new Error("a worker returned no PDF");
  return { file, pages: result.pages };
}
