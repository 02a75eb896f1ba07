import { faultPoint } from "#faults";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import type { JobOutput, JobStepRun } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { requireSandboxForVisitors } from "#lib/engines/sandbox/require-sandbox.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { runForTenant, runWithoutKeepingWarm } from "#lib/engines/warm/tenant.ts";
import { withMainInput } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { plans } from "#lib/plans.ts";
import { timeStep, traceStep } from "#lib/timings.ts";
import { isDiskFull, isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import { stepsOf } from "../job-steps.ts";
import { chainName, keepsSteps } from "../steps.ts";
import { executeSteps } from "./chain.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { pageNetworkFor } from "./claim/networks.ts";
import { JobQuota } from "./claim/quota.ts";
import type { EngineSlots } from "./engine-slots.ts";
import { gatherInputs } from "./inputs/gather.ts";
import type { HeldJob } from "./lease.ts";
import { storeOutputs, storeSteps } from "./outputs.ts";
import { tenantOf } from "./tenant-of.ts";

export interface ProcessedJob {
  readonly outputs: JobOutput[];
  readonly result: Record<string, unknown> | null;
  readonly warnings: readonly string[];
  /** The steps of a chain; null for one operation. */
  readonly steps: JobStepRun[] | null;
  /** Bytes read of all inputs, and those that their files loaded from the network. */
  readonly bytes: number;
  /** The latter alone. */
  readonly networkBytes: number;
  /** When an engine was ready, if the job had to wait for one after it was claimed. */
  readonly engineStartedAt?: Date;
  readonly engineEndedAt: Date;
}

/**
 * The part of a job that needs the local disk: gathers the inputs, runs the operation and stores the
 * outputs. It occupies an engine slot only while the operation runs. The work folder is always removed.
 */
export async function processJob(
  claimed: ClaimedJob,
  held: HeldJob,
  engineSlots: EngineSlots,
): Promise<ProcessedJob> {
  const { job, lease } = claimed;
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), {
    limits: limitsForPlan(job.plan),
    network: pageNetworkFor(job.plan),
  });
  const runForOwner = (whole: boolean) =>
    runForTenant(tenantOf(job), () => runSteps(claimed, work, whole, held, engineSlots));
  // Otherwise the checks of a service that no one uses would keep all its engines warm.
  const run = (whole: boolean) =>
    job.plan === "system" ? runWithoutKeepingWarm(() => runForOwner(whole)) : runForOwner(whole);
  try {
    return await run(false).catch((error) => {
      // A file in storage is then copied. A file at a URL needs the fetch stage again.
      if (!(error instanceof RangesUnusableError) || job.source.kind !== "stored") throw error;
      return run(true);
    });
  } catch (error) {
    // Checked before the folder is removed, because the folder may be what fills the disk.
    const isStopped = held.signal.aborted || isUnavailable(error);
    if (isStopped || !(await isDiskFull(work.root))) throw error;
    throw new UnavailableError("the disk is full", { cause: error });
  } finally {
    await timeStep("remove", () => work.remove());
  }
}

/**
 * Runs the steps of a job; `whole` says whether a stored input is copied even if the operation
 * could read it in part.
 */
async function runSteps(
  claimed: ClaimedJob,
  work: WorkFolder,
  whole: boolean,
  { signal, progress, restartTimeout }: HeldJob,
  engineSlots: EngineSlots,
): Promise<ProcessedJob> {
  const { job } = claimed;
  if (job.plan === "visitor") await requireSandboxForVisitors();
  const steps = stepsOf(job);
  const { inputs, files, served, usedBytes } = await traceStep("gather", () =>
    gatherInputs(steps, job, work, { whole, signal }),
  );
  const source = served?.file.signal;
  try {
    const mustWait = !engineSlots.hasFree;
    const release = await traceStep("wait for engine", () => engineSlots.acquire(signal));
    restartTimeout();
    const waited = mustWait ? { engineStartedAt: new Date() } : {};
    const reading = source ? AbortSignal.any([signal, source]) : signal;
    const context = { ...withMainInput(inputs), files, work, signal: reading, progress };
    const keepsOutputs = keepsSteps(job);
    const ran = await traceStep("engine", () =>
      executeSteps(steps, context, { keepsOutputs }).finally(release),
    );
    const { outputs, result, warnings } = ran;
    faultPoint("after-engine", job.id);
    reading.throwIfAborted();
    const engineEndedAt = new Date();
    const networkBytes = work.network.traffic?.bytes ?? 0;
    await reserveTraffic(claimed, usedBytes(), networkBytes);
    const stored = await traceStep("store", () =>
      storeOutputs(job, inputs[0], outputs, work.limits),
    );
    const isChain = job.operation === chainName;
    const runs = isChain ? await storeSteps(job, inputs[0], ran.steps, work.limits) : null;
    const ended = { ...waited, engineEndedAt };
    const data = { result: result ?? null, warnings: limitWarnings(warnings), steps: runs };
    return { outputs: stored, ...data, bytes: usedBytes() + networkBytes, networkBytes, ...ended };
  } catch (error) {
    if (!source || signal.aborted) throw error;
    // A source that fails stops the engine, whose error then has no meaning.
    source.throwIfAborted();
    // The source may have been the reason, so the whole file gets an attempt.
    const isTimeout = error instanceof JobError && error.code === "timed_out";
    throw isTimeout ? new RangesUnusableError("an engine timed out", { cause: error }) : error;
  } finally {
    await served?.close();
  }
}

/** What the files of a job have loaded counts like its inputs. Throws `usage_limit_reached`. */
async function reserveTraffic(
  claimed: ClaimedJob,
  inputBytes: number,
  networkBytes: number,
): Promise<void> {
  if (networkBytes === 0) return;
  const account = await findAccount(db(), claimed.job.accountId);
  if (!account) throw new Error(`job ${claimed.job.id} has no account`);
  const quota = new JobQuota(claimed, plans[account.plan], inputBytes);
  await quota.reserve(networkBytes, "What the file loads from the network");
}

const maxWarnings = 50;
const maxWarningLength = 500;

/** A page may have thousands of resources that cannot be loaded. */
function limitWarnings(warnings: readonly string[] = []): string[] {
  const shown = warnings.slice(0, maxWarnings).map((text) => text.slice(0, maxWarningLength));
  const more = warnings.length - shown.length;
  return more > 0 ? [...shown, `There are ${more} more warnings.`] : shown;
}
