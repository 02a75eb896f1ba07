import { printDocument } from "#lib/engines/chromium/chromium.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { type TextBox, textBoxesHtml } from "#lib/formats/pdf/text/text-box.ts";
import { noNetwork } from "#lib/net/no-network.ts";

/** The number of points in an inch. */
const inch = 72;

/** The shortest side in points; Chromium refuses to print on tiny paper. */
const minSide = 72;

/**
 * Draws text as a PDF with one page for each box, which begins at the top left corner of its page. The
 * text can be selected and its fonts are embedded.
 */
export async function printTextBoxes(
  boxes: readonly TextBox[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  const side = (name: "width" | "height") =>
    Math.ceil(boxes.reduce((largest, box) => Math.max(largest, box[name]), minSide) + 1) / inch;
  await printDocument({
    document: {
      url: "http://text.invalid/",
      body: Buffer.from(textBoxesHtml(boxes)),
      contentType: "text/html; charset=utf-8",
    },
    paper: {
      width: side("width"),
      height: side("height"),
      margins: { top: 0, right: 0, bottom: 0, left: 0 },
    },
    options: { printBackground: false, generateTaggedPDF: false, generateDocumentOutline: false },
    output: output.path,
    limits: work.limits,
    network: noNetwork,
    signal,
  });
  return output;
}
