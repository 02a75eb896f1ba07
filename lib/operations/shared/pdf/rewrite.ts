import { rename } from "node:fs/promises";
import { isLinearized } from "#lib/engines/pdf/qpdf.ts";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker, type OptionsOf } from "#lib/engines/worker/call.ts";
import type { OutputFile } from "#lib/engines/worker/operation.ts";
import type { WorkerFunction } from "#lib/engines/worker/worker-function.ts";
import { readEach } from "../inputs/name-input.ts";
import { normalizePdf } from "./normalize-pdf.ts";
import { signatureWarnings } from "./signature-warning.ts";

/** Starts the changes of pages in a worker. qpdf reads and repairs the files before it. */

export type PdfRewrite<Options> = {
  /** The PDF files. The outputs are encrypted as the first encrypted one. Errors name the files if there are several. */
  readonly inputs: readonly (WorkFile & { readonly filename?: string })[];
  /** The further files, after the PDF files. */
  readonly files?: readonly WorkFile[];
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly onProgress?: (percent: number) => void;
  /** Those that count instead of `options` if the outputs are encrypted. */
  readonly encryptedOptions?: Options;
} & OptionsOf<Options>;

export interface RewrittenPdf<Result> {
  readonly outputs: OutputFile[];
  readonly result: Result;
  readonly warnings: readonly string[];
}

/**
 * Rewrites PDF files with a function of a worker, whose outputs have `pages`. Streams, such as images and fonts, are copied unchanged. The outputs keep the
 * encryption of the input, and a single one also its linearization. Throws `JobError`: `encrypted` if
 * an input needs a password to open, `corrupt`, `too_complex`, `too_large`, `timed_out`, and those of
 * the function.
 */
export async function rewritePdf<Options, Result>(
  rewrite: WorkerFunction<Options, Result>,
  request: PdfRewrite<NoInfer<Options>>,
): Promise<RewrittenPdf<Result>> {
  const { inputs, files = [], work, signal } = request;
  const warnings = new Set<string>();
  let encrypted: WorkFile | undefined;
  const normalized = await readEach(inputs, async (input) => {
    const copy = await normalizePdf(input, work, signal);
    if (copy.encrypted) encrypted ??= input;
    for (const warning of await signatureWarnings(input)) warnings.add(warning);
    return copy;
  });
  const {
    outputs,
    result,
    warnings: found = [],
  } = await callInWorker(rewrite, {
    ...request,
    ...(encrypted && request.encryptedOptions ? { options: request.encryptedOptions } : {}),
    files: [...normalized, ...files],
    timeoutMs: work.limits.pdfSeconds * 1000,
  });
  for (const warning of found) warnings.add(warning);
  const [first] = inputs;
  const linearizes =
    inputs.length === 1 && outputs.length === 1 && first && (await isLinearized(first));
  const finishing: QpdfArgument[] = [];
  if (encrypted) finishing.push(["--copy-encryption=", encrypted]);
  if (linearizes) finishing.push("--linearize");
  const finished: OutputFile[] = [];
  for (const written of outputs) {
    const { path, name: _, extension, ...properties } = written;
    const output = work.output(extension);
    if (finishing.length === 0) await rename(path, output.path);
    else {
      const args = [written, ...finishing, "--stream-data=preserve"];
      await runQpdf({ args, output }, work, signal);
    }
    finished.push({ ...properties, ...output });
  }
  return { outputs: finished, result, warnings: [...warnings] };
}
