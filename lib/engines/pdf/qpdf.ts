import { JobError } from "#lib/errors.ts";
import { openRegular } from "#lib/files/regular-files.ts";
import { limitError } from "#lib/limits/limits.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { callInWorker } from "../worker/call.ts";
import { runPdfEngine } from "./run-pdf.ts";
import { dynamicFormWarning, isDynamicForm, type QpdfArgument, runQpdf } from "./run-qpdf.ts";
import { planChanges } from "./worker-functions.ts";

/** Reads PDF files with poppler's pdfinfo and changes them with qpdf. */

/** The maximum number of pages whose sizes are read. */
export const maxListedPages = 1000;

const maxTextLength = 2000;

export interface PdfPageSize {
  /** The width in points (1/72 inch), after the rotation of the page. */
  readonly width: number;
  readonly height: number;
}

export interface PdfInfo {
  readonly pages: number;
  /** The first `maxListedPages` pages. */
  readonly pageSizes: readonly PdfPageSize[];
  /** Whether the PDF is encrypted with an owner password only, so that anyone can open it. */
  readonly encrypted: boolean;
  /** The version of PDF, such as `1.7`. */
  readonly version: string | undefined;
  readonly linearized: boolean;
  readonly tagged: boolean;
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly subject: string | undefined;
  readonly keywords: string | undefined;
  readonly creator: string | undefined;
  readonly producer: string | undefined;
  /** The time of creation in ISO 8601. */
  readonly createdAt: string | undefined;
  readonly modifiedAt: string | undefined;
}

/**
 * Reads the properties of a PDF. Throws `JobError`: `encrypted` if it needs a password to open,
 * `corrupt` if it cannot be read, `timed_out`, `engine_crashed`.
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
    readsOnly: true,
  });
  return parsePdfInfo(stdout.toString("utf8"));
}

/**
 * What `readPdfInfo` returns of a PDF whose pages are read or changed: of a dynamic XFA form, the job has a warning. Throws
 * what it throws, and `out_of_memory`.
 */
export async function readPageInfo(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<PdfInfo> {
  if (await isDynamicForm(file, work, signal)) work.warn(dynamicFormWarning);
  return readPdfInfo(file, work, signal);
}

/**
 * Parses the output of pdfinfo. Its first lines contain text of the document, which may have line
 * breaks and imitate other lines. Counted and measured values are therefore read from the last
 * lines.
 */
export function parsePdfInfo(text: string): PdfInfo {
  const lines = text.split("\n");
  const read = (line: string | undefined, name: string) =>
    line
      ?.slice(name.length + 1)
      .trim()
      .slice(0, maxTextLength) || undefined;
  const readFirst = (name: string) =>
    read(
      lines.find((line) => line.startsWith(`${name}:`)),
      name,
    );
  const readLast = (name: string) =>
    read(
      lines.findLast((line) => line.startsWith(`${name}:`)),
      name,
    );
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("Encrypted:")));
  return {
    pages: Number(readLast("Pages") ?? 0),
    pageSizes: [...parsePageSizes(last).values()],
    encrypted: readLast("Encrypted")?.startsWith("yes") ?? false,
    version: readLast("PDF version"),
    linearized: readLast("Optimized") === "yes",
    tagged: readLast("Tagged") === "yes",
    title: readFirst("Title"),
    author: readFirst("Author"),
    subject: readFirst("Subject"),
    keywords: readFirst("Keywords"),
    creator: readFirst("Creator"),
    producer: readFirst("Producer"),
    createdAt: readFirst("CreationDate"),
    modifiedAt: readFirst("ModDate"),
  };
}

/** The sizes of pages by their numbers, from the rows that pdfinfo writes for a page range. */
function parsePageSizes(lines: readonly string[]): Map<number, PdfPageSize> {
  const sizes = new Map<number, PdfPageSize>();
  for (const line of lines) {
    const [, page, width, height] = /^Page +(\d+) size: +([\d.]+) x ([\d.]+) pts/.exec(line) ?? [];
    if (page) sizes.set(Number(page), { width: Number(width), height: Number(height) });
    const [, rotated, degrees] = /^Page +(\d+) rot: +(\d+)/.exec(line) ?? [];
    const size = sizes.get(Number(rotated));
    if (size && Number(degrees) % 180 === 90) {
      sizes.set(Number(rotated), { width: size.height, height: size.width });
    }
  }
  return sizes;
}

/**
 * The sizes of the pages from `first` to `last`, by their numbers. Throws what `readPdfInfo` throws.
 */
export async function readPageSizes(
  file: WorkFile,
  [first, last]: readonly [first: number, last: number],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, PdfPageSize>> {
  const { stdout } = await runPdfEngine("poppler", work, signal, {
    command: "pdfinfo",
    args: ["-f", `${first}`, "-l", `${last}`, file.name],
    timeoutMs: 30_000,
    readsOnly: true,
  });
  const lines = stdout.toString("utf8").split("\n");
  return parsePageSizes(lines.slice(lines.findLastIndex((line) => line.startsWith("Encrypted:"))));
}

/**
 * Writes `file` without its metadata to `output`; `planPdf` in lib/scrub defines what is removed.
 * Page content, images, fonts and attachments are copied unchanged. Removed data cannot be
 * recovered. Returns whether both files are encrypted. Throws what `readPdfInfo` throws, and `too_complex`.
 */
export async function removePdfMetadata(
  file: WorkFile,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ encrypted: boolean }> {
  const structure = work.scratch("json");
  const jsonOptions = ["--json=2", "--json-key=qpdf", "--json-stream-data=none"];
  const { pdfStructureBytes: fileBytes } = work.limits;
  const reading = { args: [...jsonOptions, file], output: structure, fileBytes };
  await runQpdf(reading, work, signal).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.code !== "too_large") throw error;
    throw limitError("pdfStructureBytes", fileBytes, error);
  });
  const planned = await callInWorker(planChanges, { files: [structure], work, signal });
  const [changes] = planned.outputs;
  if (!changes) throw new Error("a worker returned no PDF changes");
  const args: QpdfArgument[] = ["--stream-data=preserve", "--object-streams=preserve"];
  const { encrypted } = planned.result;
  // Derives the identifier from the content. The default identifier contains the current time.
  if (!encrypted) args.push("--deterministic-id");
  if (await isLinearized(file)) args.push("--linearize");
  const update = ["--update-from-json=", changes] as const;
  await runQpdf({ args: [file, update, ...args], output }, work, signal);
  return { encrypted };
}

/** The linearization dictionary is in the first 1024 bytes (ISO 32000-1, F.2). */
export async function isLinearized(file: WorkFile): Promise<boolean> {
  const handle = await openRegular(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.toString("latin1", 0, bytesRead).includes("/Linearized");
  } finally {
    await handle.close();
  }
}
