import { expect, onTestFinished } from "vitest";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import type { Operation } from "#lib/operations/define.ts";
import { layBait } from "../hostile/canary.ts";
import {
  makeWorkFolder,
  type OperationRun,
  runWatched,
  type Sample,
} from "../hostile/watched-run.ts";

export type { OperationRun, Sample } from "../hostile/watched-run.ts";

/**
 * Runs an operation as a runner does, watched as watched-run.ts says, in a work folder that goes when
 * the test ends. Until then nothing may be asked of loopback either.
 */
export async function runOperation(
  operation: Operation,
  sample: Sample,
  params: Record<string, unknown> = {},
  files: Record<string, Sample> = {},
  signal: AbortSignal = new AbortController().signal,
  caps: Partial<FileLimits> = {},
): Promise<OperationRun> {
  const work = temporaryWorkFolder(caps);
  const { takeHits } = await layBait();
  onTestFinished(() => expect(takeHits()).toEqual([]));
  return runWatched({ operation, sample, params, files, signal, work });
}

/** One that goes when the test ends; `caps` are put in the place of the table's. */
export function temporaryWorkFolder(caps: Partial<FileLimits> = {}): WorkFolder {
  const work = makeWorkFolder(caps);
  onTestFinished(() => work.remove());
  return work;
}
