import { join } from "node:path";
import { translatePdfError } from "#lib/engines/pdf/run-pdf.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { EngineError, EngineMissingError } from "#lib/engines/sandbox/failures/errors.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/** Adds text to the pages of a PDF with OCRmyPDF. */

export interface OcrRequest {
  /** A PDF without encryption. */
  readonly file: WorkFile;
  readonly output: WorkFile;
  readonly languages: readonly string[];
  /**
   * Whether pages without text are turned so that their lines are horizontal; their pictures are
   * drawn again.
   */
  readonly deskew: boolean;
  /**
   * Whether pages with text become pictures and are recognized again; otherwise they are not
   * changed.
   */
  readonly force: boolean;
  readonly onProgress: (percent: number) => void;
}

/** Reports the progress. A function, because the bundle of the web app has no folder of its own. */
const pluginPath = () => join(import.meta.dirname, "ocr-plugin.py");

/** The pages that are read at once. */
const jobs = 2;
/** The memory for them, each rendered at up to 100 megapixels. */
const memoryBytes = 4 * 2 ** 30;

/** A page takes a second or a few. The job's own time limit may be shorter. */
const timeoutMs = 6 * 3600 * 1000;
const secondsPerPage = 180;

/** Larger pages are copied without text. */
const maxMegapixels = 100;

const exitCodes = { missingDependency: 3, encrypted: 8 } as const;

/**
 * Its intermediate files are larger than the folder in memory, except at the level `strict`, which has a folder on
 * the disk. There it may create the links that it needs.
 */
async function temporaryFolder(): Promise<Readonly<Record<string, string>>> {
  return (await currentSandbox()).level === "strict" ? {} : { TMPDIR: "tmp" };
}

/**
 * Writes `file` with invisible text over the pages that have none. Throws `JobError` as qpdf does, or
 * `EngineMissingError` if the data of a language is missing.
 */
export async function ocrPdf(
  { file, output, languages, deskew, force, onProgress }: OcrRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const plugin = pluginPath();
  const codes = languages.map((language) => language.replace("-", "_")).join("+");
  const args = [
    "--plugin",
    plugin,
    "--language",
    codes,
    force ? "--force-ocr" : "--skip-text",
    // Pages on their side or upside down are turned by their own rotation, which loses nothing.
    "--rotate-pages",
    ...(deskew ? ["--deskew"] : []),
    "--output-type",
    "pdf",
    "--optimize",
    "0",
    "--jobs",
    `${jobs}`,
    "--use-threads",
    "--skip-big",
    `${maxMegapixels}`,
    "--tesseract-timeout",
    `${secondsPerPage}`,
    file.name,
    output.name,
  ];
  try {
    await runEngine({
      engine: "ocrmypdf",
      command: "ocrmypdf",
      args,
      ...work.view,
      readable: [plugin],
      variables: { ...(await temporaryFolder()), OMP_THREAD_LIMIT: "1" },
      signal,
      limits: {
        timeoutMs,
        memoryBytes,
        cpuSeconds: timeoutMs / 1000,
        fileBytes: work.limits.resultBytes,
      },
      onLine: (line) => {
        const percent = Number(/^progress ([\d.]+)$/.exec(line)?.[1]);
        if (percent >= 0 && percent <= 100) onProgress(percent);
      },
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.exitCode === exitCodes.missingDependency) throw new EngineMissingError("ocrmypdf");
    if (error.exitCode === exitCodes.encrypted) {
      throw new JobError("encrypted", "The PDF is protected by a password.", { cause: error });
    }
    throw translatePdfError(error);
  }
}
