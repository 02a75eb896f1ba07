import { faultPoint } from "#faults";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { isDiskFull, isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import { executeSteps, stepsOf } from "./chain.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { gatherInputs } from "./inputs.ts";
import { storeOutputs } from "./outputs.ts";

export interface ProcessedJob {
  readonly outputs: JobOutput[];
  readonly result: Record<string, unknown> | null;
  /** Bytes read of all inputs. */
  readonly bytes: number;
  readonly engineEndedAt: Date;
}

/**
 * The part of a job that needs the local disk: gathers the inputs, runs the operation and stores the
 * outputs. The work folder is always removed.
 */
export async function processJob(
  { job, lease }: ClaimedJob,
  signal: AbortSignal,
  progress: (percent: number) => void,
): Promise<ProcessedJob> {
  const steps = stepsOf(job);
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), limitsForPlan(job.plan));
  try {
    const { input, files, bytes } = await gatherInputs(steps, job, work);
    const context = { input, files, work, signal, progress };
    const { outputs, result } = await executeSteps(steps, context);
    faultPoint("after-engine", job.id);
    signal.throwIfAborted();
    const engineEndedAt = new Date();
    const stored = await storeOutputs(job, input, outputs, work.limits);
    return { outputs: stored, result: result ?? null, bytes, engineEndedAt };
  } catch (error) {
    // Checked before the folder is removed, because the folder may be what fills the disk.
    if (signal.aborted || isUnavailable(error) || !(await isDiskFull(work.root))) throw error;
    throw new UnavailableError("the disk is full", { cause: error });
  } finally {
    await work.remove();
  }
}
