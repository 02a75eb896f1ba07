import { open } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { EngineError, type EngineName } from "../sandbox/errors.ts";
import { explainEngineFailure } from "../sandbox/failures.ts";
import { type EngineOutput, runEngine } from "../sandbox/process.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { planPdfChanges } from "../worker/containers.ts";

/** PDFs: qpdf changes them, poppler's pdfinfo tells about them. */

/** Sizes are listed for so many pages at most. */
export const maxListedPages = 1000;

const maxTextLength = 2000;

export interface PdfPageSize {
  /** Points (1/72 inch), of the page as it is shown: after its rotation. */
  readonly width: number;
  readonly height: number;
}

export interface PdfInfo {
  readonly pages: number;
  /** The first `maxListedPages` pages. */
  readonly pageSizes: readonly PdfPageSize[];
  /** Encrypted, but open to everybody: it has an owner's password and no user's. */
  readonly encrypted: boolean;
  /** Such as `1.7`. */
  readonly version: string | undefined;
  readonly linearized: boolean;
  readonly tagged: boolean;
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly subject: string | undefined;
  readonly keywords: string | undefined;
  readonly creator: string | undefined;
  readonly producer: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly modifiedAt: string | undefined;
}

/**
 * What a PDF says of itself. Throws `JobError`: `encrypted` where it needs a password to open,
 * `corrupt` where it cannot be read, `timed_out`, `engine_crashed`.
 */
export async function readPdfInfo(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<PdfInfo> {
  const { stdout } = await runPdfEngine("poppler", work, signal, {
    command: "pdfinfo",
    args: ["-isodates", "-enc", "UTF-8", "-f", "1", "-l", `${maxListedPages}`, file.name],
    timeoutMs: 30_000,
  });
  return parsePdfInfo(stdout.toString("utf8"));
}

/**
 * Reads pdfinfo's lines. Its first lines hold text of the document, which may have line breaks and
 * look like any other line; so what it counted and measured itself is read from the last ones.
 */
export function parsePdfInfo(text: string): PdfInfo {
  const lines = text.split("\n");
  const read = (line: string | undefined, name: string) =>
    line
      ?.slice(name.length + 1)
      .trim()
      .slice(0, maxTextLength) || undefined;
  const said = (name: string) =>
    read(
      lines.find((line) => line.startsWith(`${name}:`)),
      name,
    );
  const found = (name: string) =>
    read(
      lines.findLast((line) => line.startsWith(`${name}:`)),
      name,
    );
  const sizes = new Map<number, PdfPageSize>();
  for (const line of lines.slice(lines.findLastIndex((line) => line.startsWith("Encrypted:")))) {
    const [, page, width, height] = /^Page +(\d+) size: +([\d.]+) x ([\d.]+) pts/.exec(line) ?? [];
    if (page) sizes.set(Number(page), { width: Number(width), height: Number(height) });
    const [, turned, degrees] = /^Page +(\d+) rot: +(\d+)/.exec(line) ?? [];
    const size = sizes.get(Number(turned));
    if (size && Number(degrees) % 180 === 90) {
      sizes.set(Number(turned), { width: size.height, height: size.width });
    }
  }
  return {
    pages: Number(found("Pages") ?? 0),
    pageSizes: [...sizes.values()],
    encrypted: found("Encrypted")?.startsWith("yes") ?? false,
    version: found("PDF version"),
    linearized: found("Optimized") === "yes",
    tagged: found("Tagged") === "yes",
    title: said("Title"),
    author: said("Author"),
    subject: said("Subject"),
    keywords: said("Keywords"),
    creator: said("Creator"),
    producer: said("Producer"),
    createdAt: said("CreationDate"),
    modifiedAt: said("ModDate"),
  };
}

/**
 * Writes `file` without its metadata to `output` (see `planPdfCleaning` for what goes and what
 * stays). Page content, images, fonts and attachments are copied as they are stored; nothing that was
 * removed can be recovered. Throws what `readPdfInfo` throws, and `too_complex`.
 */
export async function removePdfMetadata(
  file: WorkFile,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const structure = work.scratch("json");
  const told = ["--json=2", "--json-key=qpdf", "--json-stream-data=none", file.name];
  await runPdfEngine("qpdf", work, signal, {
    command: "qpdf",
    args: [...told, structure.name],
    fileBytes: work.limits.pdfStructureBytes,
  }).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.code !== "too_large") throw error;
    throw limitError("pdfStructureBytes", work.limits.pdfStructureBytes, error);
  });
  const { changes, encrypted } = await planPdfChanges(structure, work, signal);
  const args = ["--stream-data=preserve", "--object-streams=preserve"];
  // qpdf derives the identifier from the content; without this it would tell when the job ran.
  if (!encrypted) args.push("--deterministic-id");
  if (await isLinearized(file)) args.push("--linearize");
  await runPdfEngine("qpdf", work, signal, {
    command: "qpdf",
    args: [file.name, `--update-from-json=${changes.name}`, ...args, output.name],
  });
}

/** The linearisation dictionary is the first object and lies in the first 1024 bytes (ISO 32000-1, F.2). */
async function isLinearized(file: WorkFile): Promise<boolean> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.toString("latin1", 0, bytesRead).includes("/Linearized");
  } finally {
    await handle.close();
  }
}

/** Content stays in the file; 100,000 pages take 0.3 GB, so that what needs more was made to. */
const memoryBytes = 2 * 2 ** 30;

interface PdfCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs?: number;
  readonly fileBytes?: number;
}

async function runPdfEngine(
  engine: EngineName,
  work: WorkFolder,
  signal: AbortSignal,
  { command, args, timeoutMs, fileBytes = work.limits.resultBytes }: PdfCommand,
): Promise<EngineOutput> {
  try {
    const output = await runEngine({
      engine,
      command,
      args,
      ...work.view,
      signal,
      // qpdf ends with 3 for warnings: it has repaired what it complains of.
      successCodes: engine === "qpdf" ? [0, 3] : [0],
      limits: {
        timeoutMs: timeoutMs ?? work.limits.pdfSeconds * 1000,
        memoryBytes,
        limitsAddressSpace: true,
        fileBytes,
      },
    });
    await work.requireFiles(engine);
    return output;
  } catch (error) {
    throw error instanceof EngineError ? explainPdfFailure(error) : error;
  }
}

const outOfMemory = /bad_alloc|out of memory/i;

/** The public form of a failed run of qpdf or poppler; `error` itself where it was stopped. */
export function explainPdfFailure(error: EngineError): unknown {
  const cause = { cause: error };
  if (error.aborted) return error;
  if (error.outputTooLarge) {
    return limitError("pdfStructureBytes", widestLimits.pdfStructureBytes, error);
  }
  if (error.timedOut || error.signal || outOfMemory.test(error.stderrTail)) {
    return explainEngineFailure(error);
  }
  if (/invalid password|Incorrect password/.test(error.stderrTail)) {
    const sentence = "The PDF is protected by a password; send it without one.";
    return new JobError("encrypted", sentence, cause);
  }
  return new JobError("corrupt", "The file is damaged, or not a PDF.", cause);
}
