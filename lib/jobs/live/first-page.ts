import { renderPages } from "#lib/engines/pdf/render-pages.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import type { InputFile } from "#lib/operations/define.ts";

/**
 * The first page of a PDF as a JPEG by one start of pdftoppm, which also finds out its size. A PNG would take four
 * times as long, most of it to compress.
 *
 * @param side the longer side in pixels
 */
export async function drawFirstPage(
  file: InputFile,
  side: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const request = { file, span: [1, 1], side, format: "jpeg" } as const;
  const drawn = await renderPages({ ...request, allocate: () => work.output("jpg") }, work, signal);
  const page = drawn.get(1);
  if (!page) throw new JobError("corrupt", "The page is damaged.");
  return page;
}
