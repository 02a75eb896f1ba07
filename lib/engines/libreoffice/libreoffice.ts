import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { officeFormat } from "../office/formats.ts";
import { explainRefusal } from "../office/input.ts";
import { EngineError } from "../sandbox/errors.ts";
import { explainEngineFailure } from "../sandbox/failures.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotName } from "../warm/slot.ts";
import { prepareOfficeFile } from "../worker/containers.ts";
import { LibreOfficeWorker } from "./process.ts";

/** Office documents by warm, sandboxed LibreOffice processes. */

const pool = new WarmPool({
  engine: "libreoffice",
  size: env.MEDIA_CONCURRENCY ?? availableParallelism(),
  maxUses: 100,
  start: () => LibreOfficeWorker.open(),
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
  const {
    input,
    output,
    pages,
    signal,
    timeoutMs = request.work.limits.officeSeconds * 1000,
  } = request;
  const format = officeFormat(input.type.id);
  if (!format) throw new JobError("unsupported_type", "The file is no office document.");
  if (signal.aborted) throw new EngineError({ engine: "libreoffice", aborted: true });
  const { packing } = format;
  const { file, options } = await prepareOfficeFile(input, packing, request.work, signal);
  const convert = async (worker: LibreOfficeWorker) => {
    const message = {
      input: await worker.slot.takeIn(file),
      output: slotName(output),
      filter: format.importFilter,
      options,
      export: format.exportFilter,
      pages,
      table: packing === "table",
    };
    const { error } = await worker.request(message, { timeoutMs, signal });
    if (error) throw explainRefusal(error.code);
    await worker.slot.moveOut(slotName(output), output.path);
  };
  await pool.use(convert, isAnswer).catch((error: unknown) => {
    throw explainEngineFailure(error);
  });
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
