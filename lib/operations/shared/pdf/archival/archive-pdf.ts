import { rewriteWithGhostscript } from "#lib/engines/pdf/ghostscript.ts";
import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import { runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import { normalizePdf } from "../normalize-pdf.ts";
import { describeLosses } from "./losses.ts";
import { conformDocument, inspectDocument } from "./worker-functions.ts";

export interface ArchiveRequest {
  readonly input: WorkFile;
  readonly output: WorkFile;
  readonly level: ArchivalLevel;
  readonly onProgress?: (percent: number) => void;
}

/**
 * Writes a PDF/A file to `output`. Where fonts are embedded and colors are RGB or gray, only objects
 * change; otherwise, and always at 1b, Ghostscript writes the pages again. Returns warnings that say what
 * was dropped. Throws `JobError`: `encrypted`, `corrupt`, `unsupported_type` if a font cannot be
 * embedded, `too_large`, `timed_out`.
 */
export async function archivePdf(
  { input, output, level, onProgress }: ArchiveRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ warnings: string[] }> {
  const timeoutMs = work.limits.pdfSeconds * 1000;
  const common = { work, signal, timeoutMs };
  const source = await normalize(input, work, signal);
  const {
    result: facts,
    outputs: [prepared],
  } = await callInWorker(inspectDocument, { files: [source], options: { level }, ...common });
  if (!prepared) throw new Error("a worker returned no PDF");
  onProgress?.(20);
  const isRewritten =
    level === "1b" || facts.hasOtherColors || !(await hasAllFonts(prepared, work, signal));
  const pages = isRewritten ? await rewritePages(prepared, level, work, signal) : prepared;
  onProgress?.(60);
  const { outputs } = await callInWorker(conformDocument, {
    files: [pages],
    options: { level, facts },
    ...common,
  });
  onProgress?.(85);
  const [conformed] = outputs;
  if (!conformed) throw new Error("a worker returned no PDF");
  const structure =
    level === "1b"
      ? ["--object-streams=disable", "--force-version=1.4"]
      : ["--object-streams=generate", "--force-version=1.7"];
  const args = [...structure, "--deterministic-id", conformed];
  await runQpdf({ args, output }, work, signal);
  if (!(await hasAllFonts(output, work, signal))) {
    const message =
      "The PDF uses fonts that are not in the file and cannot be replaced, so it cannot become PDF/A.";
    throw new JobError("unsupported_type", message);
  }
  return { warnings: describeLosses({ facts, level, isRewritten }) };
}

/** A copy that is decrypted, with only the filters that PDF/A allows, and with drawn form fields. */
async function normalize(
  input: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  const streams = ["--decode-level=generalized", "--stream-data=compress"];
  const args = ["--decrypt", "--object-streams=disable", ...streams, "--generate-appearances"];
  await runQpdf({ args: [...args, input], output }, work, signal);
  return output;
}

/** Ghostscript writes object streams, which the worker does not read. */
async function rewritePages(
  source: WorkFile,
  level: ArchivalLevel,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const rewritten = await rewriteWithGhostscript(source, level, work, signal);
  return normalizePdf(rewritten, work, signal);
}

/** Whether all fonts that pages and annotations use are in the file. */
async function hasAllFonts(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<boolean> {
  const { stdout } = await runPdfEngine("poppler", work, signal, {
    command: "pdffonts",
    args: [file.name],
    readsOnly: true,
  });
  // The names may have any characters; the columns are aligned behind them.
  const rows = stdout.toString("latin1").split("\n").slice(2);
  return rows.every((row) => !/ no +(?:yes|no) +(?:yes|no) +-?\d+ +\d+ *$/.test(row));
}
