import { faultPoint } from "#faults";
import type { Lease } from "#lib/db/queries/jobs/leases.ts";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { limitsOf } from "#lib/limits/limits.ts";
import { isDiskFull, isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import { planOf } from "../queue-message.ts";
import { executeSteps, stepsOf } from "./chain.ts";
import { gatherInputs } from "./inputs.ts";
import { storeOutputs } from "./outputs.ts";

export interface ProcessedJob {
  readonly outputs: JobOutput[];
  readonly result: Record<string, unknown> | null;
  /** Bytes read of all inputs. */
  readonly bytes: number;
  /** When the engine was done; RFC 3339. */
  readonly storingAt: string;
}

/**
 * Everything that needs the local disk: gathers the inputs, runs the operation, stores the outputs.
 * The work folder is gone when it returns, whatever happened.
 */
export async function processJob(
  job: JobRow,
  lease: Lease,
  signal: AbortSignal,
  progress: (percent: number) => void,
): Promise<ProcessedJob> {
  const steps = stepsOf(job);
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), limitsOf(planOf(job)));
  try {
    const { input, files, bytes } = await gatherInputs(steps, job, work);
    const context = { input, files, work, signal, progress };
    const { outputs, result } = await executeSteps(steps, context);
    faultPoint("after-engine", job.id);
    signal.throwIfAborted();
    const storingAt = new Date().toISOString();
    const stored = await storeOutputs(job, input, outputs, work.limits);
    return { outputs: stored, result: result ?? null, bytes, storingAt };
  } catch (error) {
    // Asked before the folder goes, which may be what fills the disk.
    if (signal.aborted || isUnavailable(error) || !(await isDiskFull(work.root))) throw error;
    throw new UnavailableError("the disk is full", { cause: error });
  } finally {
    await work.remove();
  }
}
