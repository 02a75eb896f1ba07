import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readText } from "#lib/formats/pdf/objects/text.ts";
import { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { type AddedPages, PdfAssembly } from "#lib/formats/pdf/pages/assembly.ts";
import { openSource, type PdfSource } from "#lib/formats/pdf/pages/source.ts";
import { limitError } from "#lib/limits/limits.ts";
import { indexesOf, orderPages, selectPages } from "../page-selection.ts";
import { writeMergedMetadata } from "./merged-metadata.ts";
import { type SplitRule, splitPages } from "./split-pages.ts";

/** Functions of a worker that write PDF files with the pages of others. */

type PdfCall = Pick<WorkerCall, "work">;

/** Writes one file with pages of `source`. */
export function writePages(source: PdfSource, added: AddedPages, { work }: PdfCall) {
  const output = work.scratch("pdf");
  const assembly = new PdfAssembly(new PdfWriter(output.path, source.file.version));
  assembly.add(source, added);
  assembly.finish();
  return { ...output, pages: assembly.pages };
}

/** Opens the first of the files of a call. */
export function openInput({ files, work }: Pick<WorkerCall, "files" | "work">): PdfSource {
  const [input] = files;
  if (!input) throw new Error("the call has no file");
  const source = openSource(input.path, work.limits.pdfPages);
  if (source.pages.length === 0) throw new JobError("corrupt", "The PDF has no pages.");
  return source;
}

export interface MergeOptions {
  /** Whether each file has a bookmark, above its own, or only its own are kept, or none. */
  readonly bookmarks?: "files" | "titles" | "keep" | "none";
  /** The names of the files, for their bookmarks. */
  readonly titles: readonly string[];
  /** Whether the result is encrypted after it is written, and therefore no PDF/A file. */
  readonly isEncrypted?: boolean;
}

/** One file with all pages of all files. */
export const mergeFiles = async ({ files, options, work, progress }: WorkerCall<MergeOptions>) => {
  const { pdfPages } = work.limits;
  const sources = files.map(({ path }) => openSource(path, pdfPages));
  const pages = sources.reduce((sum, source) => sum + source.pages.length, 0);
  if (pages > pdfPages) throw limitError("pdfPages", pdfPages);
  const output = work.scratch("pdf");
  const versions = sources.map(({ file }) => file.version).toSorted();
  const writer = new PdfWriter(output.path, versions.at(-1));
  const metadata = options.isEncrypted ? undefined : writeMergedMetadata(sources, writer);
  const assembly = new PdfAssembly(writer, { isMerge: true, ...(metadata ? { metadata } : {}) });
  for (const [index, source] of sources.entries()) {
    const { bookmarks = "files", titles } = options;
    const hasOwn = bookmarks === "files" || bookmarks === "titles";
    const own = bookmarks === "titles" ? titleOf(source) : "";
    const title = hasOwn ? { title: own || (titles[index] ?? "") } : {};
    assembly.add(source, { ...title, keepsBookmarks: bookmarks !== "none" });
    source.file.close();
    progress(((index + 1) / sources.length) * 100);
  }
  assembly.finish();
  return { outputs: [{ ...output, pages: assembly.pages }] };
};

/** The title of a document; empty if it has none. */
function titleOf({ file }: PdfSource): string {
  const info = file.dict(file.trailer["/Info"]);
  return readText(file.resolve(info["/Title"])).trim().slice(0, 300);
}

/** One file for each part of the first file. */
export const splitFile = async (call: WorkerCall<SplitRule>) => {
  const { options, progress } = call;
  const source = openInput(call);
  const parts = splitPages(source, options);
  const outputs = [];
  for (const [index, { run, suffix }] of parts.entries()) {
    const added = { indexes: indexesOf(run), attachments: index === 0 };
    const written = writePages(source, added, call);
    outputs.push({ ...written, suffix });
    progress(((index + 1) / parts.length) * 100);
  }
  return { outputs };
};

/** One file with the selected pages. */
export const extractPages = async (call: WorkerCall<{ readonly pages: string }>) => {
  const source = openInput(call);
  const indexes = selectPages(call.options.pages, source.pages.length);
  return { outputs: [writePages(source, { indexes }, call)] };
};

/** One file with all pages: those of `order` first, then the others. */
export const reorderPages = async (call: WorkerCall<{ readonly order: string }>) => {
  const source = openInput(call);
  const indexes = orderPages(call.options.order, source.pages.length);
  return { outputs: [writePages(source, { indexes }, call)] };
};

/** One file in which the selected pages are turned clockwise by `angle` degrees. */
export const rotatePages = async (
  call: WorkerCall<{
    readonly angle: number;
    readonly pages?: string;
  }>,
) => {
  const source = openInput(call);
  const { angle, pages } = call.options;
  const turned = new Set(selectPages(pages, source.pages.length));
  const written = writePages(
    source,
    {
      change: (page, index) => {
        if (!turned.has(index)) return page;
        const rotation = source.file.resolve(source.pages[index]?.dict["/Rotate"]);
        const quarters = Math.round(((typeof rotation === "number" ? rotation : 0) + angle) / 90);
        return { ...page, "/Rotate": (((quarters % 4) + 4) % 4) * 90 };
      },
    },
    call,
  );
  return { outputs: [written] };
};
