import { printDocuments } from "#lib/engines/chromium/chromium.ts";
import { type PrintedFile, printToPdf } from "#lib/engines/chromium/print-to-pdf.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import type { PrintRequestSettings } from "../../fields/page/index.ts";

/** Pages that are printed at the same time. */
const concurrency = 2;

/** Pages that are printed before another job may use the browser. */
const seriesLength = 25;

/** Warnings of all pages together. */
const maxWarnings = 20;

type Print = NonNullable<Parameters<typeof printToPdf>[2]>;

export interface PrintAllRequest {
  /** HTML files that were made of the template. */
  readonly pages: readonly WorkFile[];
  readonly template: InputFile;
  readonly request: PrintRequestSettings;
  /** Allocates the PDF of a page. */
  readonly allocate: () => WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

/** Prints pages as PDF files, in their order. Throws the first error after the running ones have ended. */
export async function printAll({
  pages,
  template: { url, requestedUrl },
  ...all
}: PrintAllRequest): Promise<{ files: PrintedFile[]; warnings: string[] }> {
  const { request, work, signal } = all;
  const { limits, network } = work;
  const targets = pages.map(() => all.allocate());
  const files: PrintedFile[] = [];
  const warnings = new Set<string>();
  const queue = [...pages.entries()];
  const failures: unknown[] = [];
  const printSome = async (print: Print) => {
    for (let count = 0; count < seriesLength && failures.length === 0; count++) {
      const [index, page] = queue.shift() ?? [];
      const target = targets[index ?? -1];
      if (index === undefined || !page || !target) return;
      const source = { ...page, url, requestedUrl, charset: "utf-8" };
      const document = await readPageDocument(source, limits);
      const printed = await printToPdf(
        target,
        { ...request, document, limits, network, signal },
        print,
      );
      files[index] = printed.output;
      for (const warning of printed.warnings) warnings.add(warning);
      all.onProgress((100 * (pages.length - queue.length)) / pages.length);
    }
  };
  const printQueue = async () => {
    while (queue.length > 0 && failures.length === 0) {
      await printDocuments(printSome).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, printQueue));
  if (failures.length > 0) throw failures[0];
  return { files, warnings: [...warnings].slice(0, maxWarnings) };
}
