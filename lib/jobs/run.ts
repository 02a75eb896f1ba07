import { db, notify, transaction } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs.ts";
import { type Lease, releaseJob, renewLease } from "#lib/db/queries/leases.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import type { Steps } from "#lib/queue/port.ts";
import { plans } from "#lib/quotas/plans.ts";
import { changeChannel } from "./events.ts";
import { judgeFailure, type StopReason, type Verdict } from "./failures.ts";
import { holdLease, type LeaseTimes } from "./lease.ts";
import { type ProcessedJob, processJob } from "./process.ts";
import { settleJob } from "./settle.ts";

export interface RunOptions {
  readonly steps: Steps;
  readonly times: LeaseTimes;
  /** Aborted when the runner stops: the job is handed back and its try is not counted. */
  readonly stopping: AbortSignal;
}

/** How the work ended; small JSON, so that it can be a step's result. */
type Outcome =
  | { readonly kind: "done"; readonly processed: ProcessedJob }
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | Verdict;

/** Runners that may vanish while they work on a job before it is set aside: it may be what kills them. */
const maxRunnerDeaths = 10;

const setAside: Outcome = {
  kind: "fail",
  code: "set_aside",
  sentence: "The job was set aside: every runner that worked on it stopped unexpectedly.",
};

/**
 * Runs one job, to its end or to its next try. The same under every queue; `claim` says which job.
 * False where there was none to take.
 */
export async function runJob(
  claim: () => Promise<Lease | null>,
  options: RunOptions,
): Promise<boolean> {
  const { steps } = options;
  const lease = await steps.run("claim", claim);
  if (!lease) return false;
  const outcome = await steps.run("process", () => work(lease, options));
  await steps.run("settle", () => settle(lease, outcome));
  return true;
}

async function work(lease: Lease, options: RunOptions): Promise<Outcome> {
  // A step may run long after the one before it, on another machine: the hold may be gone by now.
  const ours = await renewLease(db(), lease, options.times.leaseSeconds, 0);
  const job = await findJobById(db(), lease.jobId);
  if (!ours || !job) return { kind: "stopped", reason: "lost" };
  if (job.runnerDeaths >= maxRunnerDeaths) return setAside;
  const jobLog = log.child({ job_id: job.id, request_id: job.requestId });
  const startedAt = Date.now();
  jobLog.info({ operation: job.operation, attempt: job.attempts }, "job started");
  await transaction((tx) => notify(tx, changeChannel, job.id));
  let stopped: AbortSignal | undefined;
  try {
    const processed = await holdLease(
      lease,
      options.times,
      options.stopping,
      (signal, progress) => {
        stopped = signal;
        return processJob(job, lease, signal, progress);
      },
    );
    jobLog.info({ duration_ms: Date.now() - startedAt, bytes: processed.bytes }, "job processed");
    return { kind: "done", processed };
  } catch (error) {
    if (stopped?.aborted) {
      // The reason is always one of ours: nobody else aborts this signal.
      const reason = stopped.reason as StopReason;
      jobLog.info({ reason, duration_ms: Date.now() - startedAt }, "job stopped");
      return { kind: "stopped", reason };
    }
    const verdict = judgeFailure(error, job.attempts);
    const expected = error instanceof JobError && error.blame === "caller";
    jobLog[expected ? "info" : "error"]({ err: error, verdict }, "job failed");
    return verdict;
  }
}

async function settle(lease: Lease, outcome: Outcome): Promise<void> {
  const job = await findJobById(db(), lease.jobId);
  if (!job) return;
  const fail = (errorCode: JobRow["errorCode"], error: string) =>
    settleJob(
      lease,
      job.accountId,
      { status: "failed", outputs: [], result: null, error, errorCode },
      0,
    );
  switch (outcome.kind) {
    case "done": {
      const { outputs, result, bytes } = outcome.processed;
      const state = { status: "completed", outputs, result, error: null, errorCode: null } as const;
      await settleJob(lease, job.accountId, state, bytes);
      return;
    }
    case "fail":
      await fail(outcome.code, outcome.sentence);
      return;
    case "retry":
      await tryAgain(job, lease, { delaySeconds: outcome.delaySeconds, countAttempt: true });
      return;
    case "stopped":
      if (outcome.reason === "timed_out")
        await fail("timed_out", "The job took longer than it may.");
      if (outcome.reason === "stopping") {
        await tryAgain(job, lease, { delaySeconds: 0, countAttempt: false });
      }
      // Cancelled and lost jobs are another's to write.
      return;
  }
}

async function tryAgain(
  job: JobRow,
  lease: Lease,
  release: { delaySeconds: number; countAttempt: boolean },
): Promise<void> {
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    if (!(await releaseJob(tx, lease, release))) return undefined;
    return opened.announceJob(tx, {
      jobId: job.id,
      accountId: job.accountId,
      plan: planOf(job),
      attempt: job.attempts + job.runnerDeaths,
      delaySeconds: Math.ceil(release.delaySeconds),
    });
  });
  await afterCommit?.();
}

/** The plan that a job was accepted under, by its priority. */
export function planOf(job: Pick<JobRow, "priority">) {
  return Object.values(plans).find((plan) => plan.priority === job.priority)?.name ?? "free";
}
