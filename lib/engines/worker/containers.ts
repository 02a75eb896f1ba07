import { z } from "zod";
import type { OfficePacking } from "../office/formats.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotName } from "../warm/slot.ts";
import type { ScrubKind } from "./container-tasks.ts";
import { type ImageTaskResult, runImageTask } from "./pool.ts";

/** Taking containers apart: what reads a whole hostile file does it in a sandboxed worker. */

export type { ScrubKind } from "./container-tasks.ts";

/** Milliseconds. Films of many gigabytes are copied on the way. */
const scrubTimeoutMs = 600_000;

function runTask(
  task: string,
  file: WorkFile,
  parameters: Record<string, unknown>,
  signal: AbortSignal,
  mint: (extension: string) => WorkFile = refuse,
  timeoutMs?: number,
): Promise<ImageTaskResult> {
  return runImageTask({
    task,
    parameters: { ...parameters, file: slotName(file) },
    inputs: [file],
    mint,
    signal,
    ...(timeoutMs ? { timeoutMs } : {}),
  });
}

function refuse(): never {
  throw new Error("an image worker left a file where none was wanted");
}

/**
 * Writes `file` to `output` without its metadata, all else as it is; `kind` is the reader that takes it
 * apart. Throws `JobError` (`corrupt`, `encrypted`, `unsupported_type`, `too_complex` and what a worker
 * may end by), and `EngineError` where it was stopped.
 */
export async function scrubFile(
  file: WorkFile,
  output: WorkFile,
  kind: ScrubKind,
  { limits: caps }: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  await runTask("scrub", file, { kind, caps }, signal, () => output, scrubTimeoutMs);
}

const preparedOffice = z.object({ options: z.string().max(20_000) });

/**
 * Checks an office document before LibreOffice opens it, and tells how: `options` are of the import
 * filter, and text is read from a copy in UTF-8. Throws `JobError` (`encrypted`, `corrupt`, `too_complex`).
 */
export async function prepareOfficeFile(
  file: WorkFile,
  packing: OfficePacking,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ file: WorkFile; options: string }> {
  const mint = (extension: string) => work.scratch(extension);
  const { outputs, result } = await runTask(
    "office",
    file,
    { packing, caps: work.limits },
    signal,
    mint,
  );
  return { file: outputs[0] ?? file, ...preparedOffice.parse(result) };
}

const lock = z.object({ locked: z.boolean() });

/**
 * Whether an office file needs a password to open. What cannot be read counts as open, but a package
 * is checked as before LibreOffice opens it. Throws `JobError` (`corrupt`, `too_complex`).
 */
export async function isOfficeLocked(
  file: WorkFile,
  { limits: caps }: WorkFolder,
  signal: AbortSignal,
): Promise<boolean> {
  return lock.parse((await runTask("lock", file, { caps }, signal)).result).locked;
}

const archiveFigures = z.object({
  entries: z.number().int().min(0),
  unpackedBytes: z.number().min(0),
  encrypted: z.boolean(),
});

/** What the directory of a ZIP archive says. Throws `JobError("corrupt")`. */
export async function readArchive(
  file: WorkFile,
  signal: AbortSignal,
): Promise<z.output<typeof archiveFigures>> {
  return archiveFigures.parse((await runTask("archive", file, {}, signal)).result);
}

const pdfPlan = z.object({ encrypted: z.boolean() });

/**
 * What is to change in a PDF so that its metadata are gone, as a file for `qpdf --update-from-json`.
 * `structure` is what qpdf tells of it in JSON.
 */
export async function planPdfChanges(
  structure: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ changes: WorkFile; encrypted: boolean }> {
  const mint = (extension: string) => work.scratch(extension);
  const { outputs, result } = await runTask(
    "pdf-plan",
    structure,
    { caps: work.limits },
    signal,
    mint,
  );
  const [changes] = outputs;
  if (!changes) throw new Error("an image worker planned nothing");
  return { changes, ...pdfPlan.parse(result) };
}
