import { rm } from "node:fs/promises";
import { listImages } from "#lib/engines/pdf/list-images.ts";
import { readPageUnits } from "#lib/engines/pdf/page-units.ts";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { copyToNew, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import type { CompressOptions } from "./compress-document.ts";
import { compressDocument } from "./worker-functions.ts";

export interface CompressRequest extends CompressOptions {
  readonly input: WorkFile;
  readonly output: WorkFile;
  /** Whether the PDF is encrypted with an owner password only; it stays so. */
  readonly encrypted: boolean;
  readonly linearized: boolean;
  readonly onProgress?: (percent: number) => void;
}

/**
 * Writes a smaller PDF to `output`, or the input itself if nothing helps. Only images lose quality.
 * Returns the number of images that are encoded again. Throws `JobError` as `runPdfEngine` does.
 */
export async function compressPdf(
  request: CompressRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ images: number }> {
  const { input, output, encrypted, linearized, ppi, quality, onProgress } = request;
  const normalized = await normalizePdf(input, work, signal);
  const resolutions: Record<string, number> = {};
  const unitOf = await readPageUnits(normalized, work, signal);
  for (const { object, page, ppi: listed } of await listImages(normalized, work, signal)) {
    const found = listed / unitOf(page);
    if (object !== undefined) resolutions[object] = Math.min(found, resolutions[object] ?? found);
  }
  const list = work.scratch("json");
  await writeNew(list.path, JSON.stringify(resolutions));
  onProgress?.(10);
  const { outputs, result } = await callInWorker(compressDocument, {
    files: [normalized, list],
    options: { ppi, quality },
    work,
    signal,
    timeoutMs: work.limits.pdfSeconds * 1000,
    onProgress: (percent) => onProgress?.(10 + percent * 0.8),
  });
  const [smaller] = outputs;
  if (!smaller) throw new Error("a worker returned no PDF");
  const args: QpdfArgument[] = [
    `--object-streams=${await objectStreamsOf(smaller)}`,
    "--compress-streams=y",
  ];
  if (linearized) args.push("--linearize");
  if (encrypted) args.push("--allow-weak-crypto", ["--copy-encryption=", input]);
  await runQpdf({ args: [...args, smaller], output }, work, signal);
  const [before, after] = await Promise.all([statRegular(input.path), statRegular(output.path)]);
  if (after.size < before.size) return result;
  await rm(output.path);
  await copyToNew(input.path, output.path);
  return { images: 0 };
}
