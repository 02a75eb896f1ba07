import { countPages } from "#lib/formats/pdf/count-pages.ts";
import { type PdfInfo, writePdfInfo } from "#lib/formats/pdf/write-info.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { type PrintRequest, printDocument, type Rendered } from "./chromium.ts";

export interface PrintedFile extends WorkFile {
  readonly pages: number;
}

/**
 * Prints a page to `file`, and sets its properties; `print` is that of a series. Throws like `printDocument`.
 */
export async function printToPdf(
  file: WorkFile,
  { info, ...request }: Omit<PrintRequest, "output"> & { readonly info?: PdfInfo | undefined },
  print: (request: PrintRequest) => Promise<Rendered> = printDocument,
): Promise<{ output: PrintedFile; warnings: string[] }> {
  const { warnings } = await print({ ...request, output: file.path });
  const pages = await countPages(file.path);
  if (info) await writePdfInfo(file.path, info);
  return { output: { ...file, pages }, warnings };
}
