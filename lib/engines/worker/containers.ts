import { z } from "zod";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import type { OfficeStructure } from "#lib/formats/office/formats.ts";
import { copyPatched, decodePatches, maxPlanBytes } from "#lib/formats/scrub/patch.ts";
import { EngineError } from "../sandbox/errors.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotInputName } from "../warm/slot-folder.ts";
import type { PatchKind, ScrubKind } from "./container-tasks.ts";
import { noResultSchema, runWorkerTask, type WorkerTask } from "./pool.ts";

/**
 * Reading and rewriting containers: the worker tasks of container-tasks.ts, called by the runner.
 */

export type { PatchKind, ScrubKind } from "./container-tasks.ts";

/** Files of many gigabytes are read in these tasks. */
const scrubTimeoutMs = 600_000;

type FileTask<Result> = Pick<WorkerTask<Result>, "task" | "resultSchema" | "signal"> &
  Partial<WorkerTask<Result>>;

function runFileTask<Result>(file: WorkFile, task: FileTask<Result>) {
  return runWorkerTask<Result>({
    allocateOutput: rejectOutput,
    ...task,
    parameters: { ...task.parameters, file: slotInputName(file) },
    inputs: [file],
  });
}

function rejectOutput(): never {
  throw new Error("a worker returned an output for a task that has none");
}

/**
 * Writes `file` to `output` without its metadata and with all other content unchanged. `kind`
 * selects the reader of the container. Throws `JobError` (`corrupt`, `encrypted`,
 * `unsupported_type`, `too_complex`, `timed_out`, `out_of_memory`, `engine_crashed`), and
 * `EngineError` if it was aborted.
 */
export async function scrubFile(
  file: WorkFile,
  output: WorkFile,
  kind: ScrubKind,
  { limits }: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  await runFileTask(file, {
    task: "scrub",
    parameters: { kind, limits },
    allocateOutput: () => output,
    resultSchema: noResultSchema,
    signal,
    timeoutMs: scrubTimeoutMs,
  });
}

/**
 * `scrubFile` for containers in which the metadata is removed in place. A worker only plans the changes.
 * They are applied here, to a copy. Throws like `scrubFile`.
 */
export async function scrubInPlace(
  file: WorkFile,
  output: WorkFile,
  kind: PatchKind,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const { outputs } = await runFileTask(file, {
    task: "patches",
    parameters: { kind, limits: work.limits },
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: noResultSchema,
    signal,
    timeoutMs: scrubTimeoutMs,
  });
  const [plan] = outputs;
  if (!plan) throw new Error("a worker returned no patches");
  try {
    const { size } = await statRegular(file.path);
    const patches = decodePatches(await readPlan(plan), size);
    await copyPatched(file.path, output.path, patches, signal);
  } catch (cause) {
    throw signal.aborted ? new EngineError({ engine: "image", aborted: true, cause }) : cause;
  }
}

/** The plan is untrusted: the worker has read a user's file. */
async function readPlan({ path }: WorkFile): Promise<Buffer> {
  const { size } = await statRegular(path);
  if (size > maxPlanBytes) throw new Error("a worker returned too many patches");
  return readRegular(path);
}

const officeResultSchema = z.object({ options: z.string().max(20_000) });

/**
 * Checks an office document before LibreOffice opens it. Returns the file to open, which may be
 * a copy, and the options of the import filter. Throws `JobError` (`encrypted`, `corrupt`,
 * `too_complex`).
 */
export async function prepareOfficeFile(
  file: WorkFile,
  structure: OfficeStructure,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ file: WorkFile; options: string }> {
  const { outputs, result } = await runFileTask(file, {
    task: "office",
    parameters: { structure, limits: work.limits },
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: officeResultSchema,
    signal,
  });
  return { file: outputs[0] ?? file, ...result };
}

/**
 * Whether an office file needs a password to open; false if it cannot be read. An unencrypted
 * package is also checked as before LibreOffice opens it. Throws `JobError` (`corrupt`,
 * `too_complex`).
 */
export async function isOfficeEncrypted(
  file: WorkFile,
  { limits }: WorkFolder,
  signal: AbortSignal,
): Promise<boolean> {
  const { result } = await runFileTask(file, {
    task: "office-encryption",
    parameters: { limits },
    resultSchema: z.object({ encrypted: z.boolean() }),
    signal,
  });
  return result.encrypted;
}

const archiveSchema = z.object({
  entries: z.number().int().min(0),
  unpackedBytes: z.number().min(0),
  encrypted: z.boolean(),
});

/** What the directory of a ZIP archive declares. Throws `JobError("corrupt")`. */
export async function readArchive(
  file: WorkFile,
  signal: AbortSignal,
): Promise<z.output<typeof archiveSchema>> {
  const { result } = await runFileTask(file, {
    task: "archive",
    resultSchema: archiveSchema,
    signal,
  });
  return result;
}

/**
 * Plans the changes that remove the metadata of a PDF and writes them to a file for
 * `qpdf --update-from-json`. `structure` is the JSON output of qpdf for the PDF.
 */
export async function planPdfChanges(
  structure: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ changes: WorkFile; encrypted: boolean }> {
  const { outputs, result } = await runFileTask(structure, {
    task: "pdf-changes",
    parameters: { limits: work.limits },
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: z.object({ encrypted: z.boolean() }),
    signal,
  });
  const [changes] = outputs;
  if (!changes) throw new Error("a worker returned no PDF changes");
  return { changes, encrypted: result.encrypted };
}
