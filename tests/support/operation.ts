import { expect, onTestFinished } from "vitest";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import type { Operation } from "#lib/operations/define.ts";
import { startCanary } from "../hostile/canary.ts";
import {
  createWorkFolder,
  type OperationRun,
  runWatched,
  type Sample,
} from "../hostile/watched-run.ts";

export type { OperationRun, Sample } from "../hostile/watched-run.ts";

/**
 * Runs an operation as a runner does, with the checks of watched-run.ts, in a temporary work
 * folder. The canary servers on loopback must not get a request before the test ends.
 */
export async function runOperation(
  operation: Operation,
  sample: Sample | readonly Sample[],
  params: Record<string, unknown> = {},
  files: Record<string, Sample> = {},
  signal: AbortSignal = new AbortController().signal,
  limits: Partial<FileLimits> = {},
): Promise<OperationRun> {
  const work = temporaryWorkFolder(limits);
  const { takeHits } = await startCanary();
  onTestFinished(() => expect(takeHits()).toEqual([]));
  return runWatched({ operation, sample, params, files, signal, work });
}

/** A work folder that is removed when the test ends; `limits` replace those of the table. */
export function temporaryWorkFolder(limits: Partial<FileLimits> = {}): WorkFolder {
  const work = createWorkFolder(limits);
  onTestFinished(() => work.remove());
  return work;
}
