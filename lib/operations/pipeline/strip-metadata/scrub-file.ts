import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import { copyPatched, decodePatches, maxPlanBytes } from "#lib/formats/scrub/patch.ts";
import type { PatchKind, ScrubKind } from "./scrub-tasks.ts";
import { planPatches, scrub } from "./worker-functions.ts";

export type { PatchKind, ScrubKind } from "./scrub-tasks.ts";

/** Files of many gigabytes are read. */
const scrubTimeoutMs = 600_000;

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
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  await callInWorker(scrub, {
    files: [file],
    options: { kind },
    allocateOutput: () => output,
    work,
    signal,
    timeoutMs: scrubTimeoutMs,
  });
}

/**
 * Does what `scrubFile` does for containers in which the metadata is removed in place. A worker
 * only plans the changes. They are applied here, to a copy. Throws like `scrubFile`.
 */
export async function scrubInPlace(
  file: WorkFile,
  output: WorkFile,
  kind: PatchKind,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const { outputs } = await callInWorker(planPatches, {
    files: [file],
    options: { kind },
    work,
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
