import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { timeStep } from "#lib/timings.ts";
import { officeFormat } from "../office/formats.ts";
import { createOfficeFailure } from "../office/prepare-input.ts";
import { EngineError } from "../sandbox/errors.ts";
import { translateEngineError } from "../sandbox/failures.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotFileName } from "../warm/slot-folder.ts";
import { prepareOfficeFile } from "../worker/containers.ts";
import { LibreOfficeProcess } from "./process.ts";

/** Converts office documents with warm, sandboxed LibreOffice processes. */

const pool = new WarmPool({
  engine: "libreoffice",
  size: env.MEDIA_CONCURRENCY ?? availableParallelism(),
  maxUses: 100,
  start: () => LibreOfficeProcess.start(),
});

export interface OfficeRequest {
  readonly input: WorkFile & { readonly type: { readonly id: MediaTypeId } };
  readonly output: WorkFile;
  /** The job's folder, for intermediate files. */
  readonly work: WorkFolder;
  /** Sorted page ranges such as `1-3,5`; empty for all pages. */
  readonly pages: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Converts an office document to PDF. Throws `JobError` (`corrupt`, `encrypted`, `too_complex`,
 * `empty` if the page ranges match no page, `timed_out`, `out_of_memory`, `engine_crashed`), and
 * `EngineError` if it was aborted.
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
  if (!format) throw new JobError("unsupported_type", "The file is not an office document.");
  if (signal.aborted) throw new EngineError({ engine: "libreoffice", aborted: true });
  const { structure } = format;
  const { file, options } = await timeStep("check", () =>
    prepareOfficeFile(input, structure, request.work, signal),
  );
  const convert = async (process: LibreOfficeProcess) => {
    const message = {
      input: await process.slot.linkIn(file),
      output: slotFileName(output),
      filter: format.importFilter,
      options,
      export: format.exportFilter,
      pages,
      table: structure === "table",
    };
    const { error } = await timeStep("convert", () =>
      process.request(message, { timeoutMs, signal }),
    );
    if (error) throw createOfficeFailure(error.code);
    await process.slot.moveOut(slotFileName(output), output.path);
  };
  await pool.run(convert, keepsProcessHealthy).catch((error: unknown) => {
    throw translateEngineError(error);
  });
}

/** Starts the warm processes before they are needed. */
export function warmUpLibreOffice(): Promise<void> {
  return pool.warmUp();
}

export function closeLibreOffice(): Promise<void> {
  return pool.close();
}

/** Whether the error is only about the document. */
function keepsProcessHealthy(error: unknown): boolean {
  return error instanceof JobError && (error.code === "encrypted" || error.code === "empty");
}
