import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import { type EngineOutput, runEngine } from "../sandbox/run-engine.ts";
import type { WorkFolder } from "../sandbox/work-folder.ts";

/** Starts the programs for PDF files, with their limits. */

/** Content is not loaded: 100,000 pages need 0.3 GB. A file that needs more is malicious. */
export const memoryBytes = 2 * 2 ** 30;

export interface PdfCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs?: number;
  readonly fileBytes?: number;
  /** It only reads: the result is what it writes to stdout. */
  readonly readsOnly?: true;
}

/**
 * Runs a command of poppler in `work`. Throws `JobError`: `encrypted`, `corrupt`, `too_large`,
 * `timed_out`, `out_of_memory`.
 */
export async function runPdfEngine(
  engine: "poppler",
  work: WorkFolder,
  signal: AbortSignal,
  { command, args, timeoutMs, fileBytes = work.limits.resultBytes, readsOnly }: PdfCommand,
): Promise<EngineOutput> {
  try {
    return await runEngine({
      engine,
      command,
      args,
      ...(readsOnly ? work.readOnlyView : work.view),
      signal,
      limits: {
        timeoutMs: timeoutMs ?? work.limits.pdfSeconds * 1000,
        memoryBytes,
        limitsAddressSpace: true,
        fileBytes,
      },
    });
  } catch (error) {
    throw error instanceof EngineError ? translatePdfError(error) : error;
  }
}

const outOfMemory = /bad_alloc|out of memory/i;

/** The `JobError` for a failed run of qpdf or poppler; `error` itself if it was aborted. */
export function translatePdfError(error: EngineError): unknown {
  const cause = { cause: error };
  if (error.aborted) return error;
  if (error.outputTooLarge) {
    return limitError("pdfStructureBytes", widestLimits.pdfStructureBytes, error);
  }
  if (error.timedOut || error.signal || outOfMemory.test(error.stderrTail)) {
    return translateEngineError(error);
  }
  if (/invalid password|Incorrect password/.test(error.stderrTail)) {
    const message = "The PDF is protected by a password. Remove the password and try again.";
    return new JobError("encrypted", message, cause);
  }
  return new JobError("corrupt", "The file is damaged or is not a PDF.", cause);
}
