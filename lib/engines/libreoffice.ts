import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { isEncryptedPackage, readRootNames } from "#lib/media/sniff-ole.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { EngineError } from "./errors.ts";
import { explainEngineFailure } from "./failures.ts";
import { LibreOfficeWorker } from "./libreoffice-worker.ts";
import { checkContainer } from "./office-container.ts";
import { type OfficeFormat, officeFormat } from "./office-formats.ts";
import { normalizeText, tableImportOptions, textImportOptions } from "./office-text.ts";
import { WarmPool } from "./warm-pool.ts";
import type { WorkFile, WorkFolder } from "./work-folder.ts";

/** Office documents by warm, sandboxed LibreOffice processes. */

/** A long report takes seconds; what takes minutes hangs or is no document. */
const convertTimeoutMs = 180_000;

const pool = new WarmPool({
  size: env.MEDIA_CONCURRENCY ?? availableParallelism(),
  maxUses: 100,
  start: (index) => LibreOfficeWorker.open(index),
});

export interface OfficeRequest {
  readonly input: WorkFile & { readonly type: { readonly id: MediaTypeId } };
  readonly output: WorkFile;
  /** The job's folder, for what lies between. */
  readonly work: WorkFolder;
  /** Sorted page ranges such as `1-3,5`; empty for all pages. */
  readonly pages: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Converts an office document to PDF. Throws `JobError` (`corrupt`, `encrypted`, `too_complex`,
 * `empty` where no page is left, `timed_out`, `out_of_memory`, `engine_crashed`), and `EngineError`
 * where it was stopped.
 */
export async function convertToPdf(request: OfficeRequest): Promise<void> {
  const { input, output, pages, signal, timeoutMs = convertTimeoutMs } = request;
  const format = officeFormat(input.type.id);
  if (!format) throw new JobError("unsupported_type", "The file is no office document.");
  if (signal.aborted) throw new EngineError({ engine: "libreoffice", aborted: true });
  const { file, options } = await prepareInput(format, input, request.work);
  const convert = async (worker: LibreOfficeWorker) => {
    const source = await worker.slot.adopt(file);
    const message = {
      input: source.name,
      output: output.name,
      filter: format.importFilter,
      options,
      export: format.exportFilter,
      pages,
      table: format.packing === "table",
    };
    const { error } = await worker.request(message, { timeoutMs, signal });
    if (error) throw explainRefusal(error.code);
    await worker.slot.release(output);
  };
  await pool.use(convert, isAnswer).catch((error: unknown) => {
    throw explainEngineFailure(error);
  });
}

/** Checks what can be checked before an office sees it, and says how it is to be read. */
async function prepareInput(
  { packing }: OfficeFormat,
  input: WorkFile,
  work: WorkFolder,
): Promise<{ file: WorkFile; options: string }> {
  // Under a password an Office Open XML file is an OLE file with the real one inside.
  const streams = await withFileSource(input.path, readRootNames);
  if (isEncryptedPackage(streams ?? [])) throw explainRefusal("encrypted");
  if (packing === "ole" && !streams) throw explainRefusal("corrupt");
  if (packing === "rtf" && !(await startsAsRtf(input.path))) throw explainRefusal("corrupt");
  if (packing === "zip") await checkContainer(input.path);
  if (packing !== "text" && packing !== "table") return { file: input, options: "" };
  const file = work.scratch(input.extension);
  const text = await normalizeText(input, file);
  return { file, options: packing === "table" ? tableImportOptions(text) : textImportOptions };
}

/** The RTF filter would take anything for text. */
function startsAsRtf(path: string): Promise<boolean> {
  return withFileSource(path, async ({ head }) => head.toString("latin1", 0, 5) === "{\\rtf");
}

/** What the bridge's answer means for the job. */
function explainRefusal(code: string): JobError {
  if (code === "encrypted") {
    return new JobError("encrypted", "The document is protected by a password.");
  }
  if (code === "empty") {
    return new JobError("empty", "page_ranges selects none of the document's pages.");
  }
  return new JobError("corrupt", "The document is damaged, or is not what its name says.");
}

/** Starts the offices ahead of need. */
export function warmLibreOffice(): Promise<void> {
  return pool.warm();
}

export function closeLibreOffice(): Promise<void> {
  return pool.close();
}

/** A plain answer about the document raises no doubt about the office. */
function isAnswer(error: unknown): boolean {
  return error instanceof JobError && (error.code === "encrypted" || error.code === "empty");
}
