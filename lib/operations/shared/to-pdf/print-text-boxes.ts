import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { type TextBox, textBoxesHtml } from "#lib/formats/pdf/text/text-box.ts";
import { printOwnPage } from "./print-own-page.ts";

/** The shortest side in points; Chromium refuses to print on tiny paper. */
const minSide = 72;

/**
 * Draws text as a PDF with one page for each box, which begins at the top left corner of its page. The
 * text can be selected and its fonts are embedded.
 */
export function printTextBoxes(
  boxes: readonly TextBox[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const side = (name: "width" | "height") =>
    Math.ceil(boxes.reduce((largest, box) => Math.max(largest, box[name]), minSide) + 1);
  const size = { width: side("width"), height: side("height") };
  return printOwnPage(textBoxesHtml(boxes), size, work, signal);
}
