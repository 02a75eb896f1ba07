import type { Lease } from "#lib/db/queries/leases.ts";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { ownPath } from "#lib/engines/own-folder.ts";
import { WorkFolder } from "#lib/engines/work-folder.ts";
import { executeSteps, stepsOf } from "./chain.ts";
import { gatherInputs } from "./inputs.ts";
import { storeOutputs } from "./outputs.ts";

export interface ProcessedJob {
  readonly outputs: JobOutput[];
  readonly result: Record<string, unknown> | null;
  /** Bytes read of all inputs. */
  readonly bytes: number;
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
  const work = WorkFolder.create(ownPath(`${job.id}-${lease.token}`));
  try {
    const { input, files, bytes } = await gatherInputs(steps, job, work);
    const context = { input, files, work, signal, progress };
    const { outputs, result } = await executeSteps(steps, context);
    signal.throwIfAborted();
    return { outputs: await storeOutputs(job, input, outputs), result: result ?? null, bytes };
  } finally {
    await work.remove();
  }
}
