import { faultPoint } from "#faults";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { timeStep } from "#lib/timings.ts";
import { isDiskFull, isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import { executeSteps, stepsOf } from "./chain.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import type { EngineSlots } from "./engine-slots.ts";
import { gatherInputs } from "./inputs.ts";
import type { HeldJob } from "./lease.ts";
import { storeOutputs } from "./outputs.ts";

export interface ProcessedJob {
  readonly outputs: JobOutput[];
  readonly result: Record<string, unknown> | null;
  /** Bytes read of all inputs. */
  readonly bytes: number;
  /** If the job had to wait for an engine after it was claimed. */
  readonly engineStartedAt?: Date;
  readonly engineEndedAt: Date;
}

/**
 * The part of a job that needs the local disk: gathers the inputs, runs the operation and stores the
 * outputs. It occupies an engine slot only while the operation runs. The work folder is always removed.
 */
export async function processJob(
  { job, lease }: ClaimedJob,
  { signal, progress, restartTimeout }: HeldJob,
  engineSlots: EngineSlots,
): Promise<ProcessedJob> {
  const steps = stepsOf(job);
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), limitsForPlan(job.plan));
  try {
    const { input, files, bytes } = await timeStep("gather", () => gatherInputs(steps, job, work));
    const mustWait = !engineSlots.hasFree;
    const release = await timeStep("wait for engine", () => engineSlots.acquire(signal));
    restartTimeout();
    const waited = mustWait ? { engineStartedAt: new Date() } : {};
    const context = { input, files, work, signal, progress };
    const { outputs, result } = await timeStep("engine", () =>
      executeSteps(steps, context).finally(release),
    );
    faultPoint("after-engine", job.id);
    signal.throwIfAborted();
    const engineEndedAt = new Date();
    const stored = await timeStep("store", () => storeOutputs(job, input, outputs, work.limits));
    const ended = { ...waited, engineEndedAt };
    return { outputs: stored, result: result ?? null, bytes, ...ended };
  } catch (error) {
    // Checked before the folder is removed, because the folder may be what fills the disk.
    if (signal.aborted || isUnavailable(error) || !(await isDiskFull(work.root))) throw error;
    throw new UnavailableError("the disk is full", { cause: error });
  } finally {
    await timeStep("remove", () => work.remove());
  }
}
