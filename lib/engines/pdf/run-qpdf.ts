import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { timeStep } from "#lib/timings.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotOutputName } from "../warm/slot-folder.ts";
import { QpdfProcess, type QpdfRequest, type QpdfResult } from "./qpdf-process.ts";
import { translatePdfError } from "./run-pdf.ts";

/** Runs qpdf in warm, sandboxed processes: a start of its program takes longer than most of its work. */

/** A run takes milliseconds, so a few processes are enough for many jobs. */
const maxProcesses = 8;

const pool = new WarmPool({
  engine: "qpdf",
  size: Math.min(env.MEDIA_CONCURRENCY ?? availableParallelism(), maxProcesses),
  maxUses: 500,
  start: () => QpdfProcess.start(),
});

const repairedWarning =
  "A PDF is damaged and was repaired as far as possible. Check that nothing is missing.";

/** An argument of qpdf: text, a file that qpdf reads, or the start of an option with such a file. */
export type QpdfArgument = string | WorkFile | readonly [option: string, file: WorkFile];

/** Options of qpdf's job file, such as `{ decrypt: "" }`. */
export type QpdfJob = Readonly<Record<string, string | QpdfJobOptions>>;
interface QpdfJobOptions {
  readonly [name: string]: string | QpdfJobOptions;
}

interface QpdfOutput {
  /** The file that qpdf writes. Without one, it only reads. */
  readonly output?: WorkFile;
  /** The size of the largest file that it may write; by default that of a result. */
  readonly fileBytes?: number;
}

/** What qpdf does: by the arguments of its program, without the output, or by the options of a job file. */
type QpdfCommand = QpdfOutput &
  (
    | { readonly args: readonly QpdfArgument[] }
    | { readonly job: QpdfJob; readonly input: WorkFile }
  );

interface QpdfRun {
  /** Whether the structure of a file is damaged, which qpdf has repaired. The job has a warning then. */
  readonly repaired: boolean;
  /** Whether an input is encrypted, with or without a password to open. */
  readonly encrypted: boolean;
}

/**
 * Runs qpdf. Throws `JobError`: `encrypted`, `corrupt`, `too_large`, `timed_out`, `out_of_memory`,
 * `engine_crashed`; and `EngineError` if it was aborted.
 */
export async function runQpdf(
  command: QpdfCommand,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<QpdfRun> {
  const { output } = command;
  const run = async (process: QpdfProcess) => {
    const request = await linkFiles(command, process, work);
    const result = await send(request, process, work.limits.pdfSeconds, signal);
    if (output) await process.slot.moveOut(slotOutputName(output), output.path);
    return result;
  };
  const { warned, encrypted } = await runInPool(run, signal);
  if (warned) work.warn(repairedWarning);
  return { repaired: warned, encrypted };
}

interface PageCount extends QpdfRun {
  readonly pages: number;
  /** Whether its page tree refers to objects that do not exist. qpdf removes them where it lists pages. */
  readonly hasGaps: boolean;
  /** Whether the pages are made by an XFA form (`NeedsRendering`), and those of the file only stand in for them. */
  readonly isDynamic: boolean;
}

/** Counts the pages of a PDF by its page tree. Throws what `runQpdf` throws. */
export async function countPages(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<PageCount> {
  const { warned, encrypted, pages, gaps, dynamic } = await read("pages", file, work, signal);
  if (warned) work.warn(repairedWarning);
  return { repaired: warned, encrypted, pages, hasGaps: gaps, isDynamic: dynamic };
}

/** The warning of an operation that reads or changes pages which are `isDynamic`. */
export const dynamicFormWarning =
  "The PDF is a dynamic XFA form, whose pages only Adobe Acrobat and Reader show. Others see a page that asks to wait or to use another program. Print the form to a PDF in Acrobat first.";

/** The seconds in which qpdf reads what kind of form a file has. Poppler has as many to read all about it. */
const formSeconds = 30;

/** The failures of qpdf with a file that poppler may read nevertheless. */
const unreadable: readonly JobErrorCode[] = [
  "corrupt",
  "encrypted",
  "too_large",
  "timed_out",
  "engine_crashed",
];

/**
 * Whether the pages of a PDF are `isDynamic`; false for a file that qpdf cannot read. Throws `JobError`: `out_of_memory`,
 * because a file that inflates to gigabytes is refused in a third of the time that poppler needs to read it; and
 * `EngineError` if it was aborted.
 */
export async function isDynamicForm(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await read("form", file, work, signal)).dynamic;
  } catch (error) {
    if (error instanceof JobError && unreadable.includes(error.code)) return false;
    throw error;
  }
}

/** Successive pages whose unit of length is not a point: `points` is its length in points. */
export interface UnitSpan {
  readonly first: number;
  readonly last: number;
  readonly points: number;
}

/** Finds the pages with a `UserUnit` (ISO 32000-1, table 30), in order. Throws what `runQpdf` throws. */
export async function readUnits(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<readonly UnitSpan[]> {
  const { units } = await read("units", file, work, signal);
  return units.map(([first, last, points]) => ({ first, last, points }));
}

function read(
  asked: "pages" | "form" | "units",
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
) {
  return runInPool(async (process) => {
    const name = await process.slot.linkIn(file);
    const { resultBytes: fileBytes } = work.limits;
    const what = { pages: { pages: name }, form: { form: name }, units: { units: name } }[asked];
    const { pdfSeconds } = work.limits;
    const seconds = asked === "form" ? Math.min(pdfSeconds, formSeconds) : pdfSeconds;
    return send({ ...what, fileBytes }, process, seconds, signal);
  }, signal);
}

async function runInPool<Result>(
  run: (process: QpdfProcess) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await pool.run((process) => {
      if (signal.aborted) throw new EngineError({ engine: "qpdf", aborted: true });
      return run(process);
    }, keepsProcessHealthy);
  } catch (error) {
    throw translateEngineError(error);
  }
}

async function send(
  request: QpdfRequest,
  process: QpdfProcess,
  seconds: number,
  signal: AbortSignal,
): Promise<QpdfResult> {
  const options = { timeoutMs: seconds * 1000, signal };
  const result = await timeStep("qpdf", () => process.request(request, options));
  if (!("refusal" in result)) return result;
  const failure = { engine: "qpdf", exitCode: 2, stderrTail: result.refusal } as const;
  throw translatePdfError(new EngineError(failure));
}

/** The request with the names of files in the slot folder, where the inputs are linked. */
async function linkFiles(
  command: QpdfCommand,
  { slot }: QpdfProcess,
  work: WorkFolder,
): Promise<QpdfRequest> {
  const { output, fileBytes = work.limits.resultBytes } = command;
  const outputName = output && slotOutputName(output);
  // PDF/A requires an end of line before each `endstream` (ISO 19005-1, 6.1.7), and all others may have one.
  const separatesStreams = output?.extension === "pdf";
  if ("job" in command) {
    const job: Record<string, unknown> = { ...command.job };
    if (separatesStreams) job.newlineBeforeEndstream = "";
    job.inputFile = await slot.linkIn(command.input);
    if (outputName !== undefined) job.outputFile = outputName;
    return { job, fileBytes };
  }
  const names = new Map<string, string>();
  const link = async (file: WorkFile) => {
    const name = names.get(file.path) ?? (await slot.linkIn(file));
    names.set(file.path, name);
    return name;
  };
  const args = separatesStreams ? ["--newline-before-endstream"] : [];
  for (const arg of command.args) {
    if (typeof arg === "string") args.push(arg);
    else if ("path" in arg) args.push(await link(arg));
    else args.push(`${arg[0]}${await link(arg[1])}`);
  }
  return { args: outputName === undefined ? args : [...args, outputName], fileBytes };
}

/** Starts the warm processes before they are needed. */
export function warmUpQpdf(): Promise<void> {
  return pool.warmUp();
}

export function closeQpdf(): Promise<void> {
  return pool.close();
}

/** Whether the error is only about the file. */
function keepsProcessHealthy(error: unknown): boolean {
  return error instanceof JobError && (error.code === "encrypted" || error.code === "corrupt");
}
