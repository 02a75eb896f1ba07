import { setTimeout as wait } from "node:timers/promises";
import { faultPoint } from "#faults";
import { db, type Queryable, transaction } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { runnerDeathLimits } from "#lib/db/queries/jobs/claims.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { type Lease, releaseFetched, releaseJob } from "#lib/db/queries/jobs/leases.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { notifyJobChangeNow } from "../follow/changes.ts";
import { jobMessage } from "../queue-message.ts";
import { outputFolder } from "../storage-keys.ts";
import { JobStoppedError, judgeFailure, type StopReason, type Verdict } from "./failures.ts";
import { type FetchedInputs, fetchInputs } from "./fetch.ts";
import { holdLease, type LeaseTimes } from "./lease.ts";
import { removeEarlierOutputs } from "./outputs.ts";
import { type ProcessedJob, processJob } from "./process.ts";
import { settleJob } from "./settle.ts";

export interface RunOptions {
  readonly times: LeaseTimes;
  /** Aborted when the runner stops: the job is handed back and its try is not counted. */
  readonly stopping: AbortSignal;
}

/** How the work ended. */
type Outcome =
  | { readonly kind: "done"; readonly processed: ProcessedJob }
  | { readonly kind: "fetched"; readonly fetched: FetchedInputs }
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | Verdict;

const setAside: Outcome = {
  kind: "fail",
  code: "set_aside",
  sentence: "The job was set aside: every runner that worked on it stopped unexpectedly.",
};

/**
 * Runs one job, to its end or to its next try. The same under every queue; `claim` says which job.
 * False where there was none to take. May be called again for a job that it did not finish: the
 * claim is the fence.
 */
export async function runJob(
  claim: () => Promise<Lease | null>,
  options: RunOptions,
): Promise<boolean> {
  const lease = await claim();
  if (!lease) return false;
  const outcome = await work(lease, options);
  await outlastDatabase(() => settle(lease, outcome), options.stopping);
  return true;
}

/** How long to wait for a database that is away before it is asked again. */
const databasePauseMs = 500;

/**
 * Work that is done is not thrown away because the database is away for a moment: `write` is tried
 * again until it is back, or until the runner is to stop.
 */
async function outlastDatabase(write: () => Promise<void>, stopping: AbortSignal): Promise<void> {
  while (true) {
    try {
      return await write();
    } catch (error) {
      if (stopping.aborted || !isDatabaseUnavailable(error)) throw error;
      await wait(databasePauseMs);
    }
  }
}

async function work(lease: Lease, options: RunOptions): Promise<Outcome> {
  const job = await findJobById(db(), lease.jobId);
  if (!job) return { kind: "stopped", reason: "lost" };
  if (job.runnerDeaths >= runnerDeathLimits.setAside) return setAside;
  const jobLog = log.child({ job: job.id, request_id: job.requestId });
  const startedAt = Date.now();
  const stage = job.needsFetch ? "fetch" : "run";
  jobLog.info({ operation: job.operation, stage, attempt: job.attempts }, "job started");
  // Those who watch learn of it while the work goes on.
  void notifyJobChangeNow(job.id);
  try {
    const outcome = await holdLease(
      lease,
      options.times,
      options.stopping,
      async (signal, progress): Promise<Outcome> => {
        if (job.needsFetch)
          return { kind: "fetched", fetched: await fetchInputs(job, lease, signal) };
        return { kind: "done", processed: await processJob(job, lease, signal, progress) };
      },
    );
    jobLog.info({ stage, duration_ms: Date.now() - startedAt }, "job worked on");
    return outcome;
  } catch (error) {
    if (error instanceof JobStoppedError) {
      const { reason } = error;
      jobLog.info({ reason, duration_ms: Date.now() - startedAt }, "job stopped");
      return { kind: "stopped", reason };
    }
    const verdict = judgeFailure(error, job);
    const expected = error instanceof JobError && error.fault === "caller";
    jobLog[expected ? "info" : "error"]({ err: error, verdict }, "job failed");
    return verdict;
  }
}

async function settle(lease: Lease, outcome: Outcome): Promise<void> {
  faultPoint("before-settle", lease.jobId);
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
      const { outputs, result, bytes, storingAt } = outcome.processed;
      const state = { status: "completed", outputs, result, error: null, errorCode: null } as const;
      const ended = { ...state, storingAt: new Date(storingAt) };
      const settled = await settleJob(lease, job.accountId, ended, bytes);
      if (settled) await removeEarlierOutputs(job);
      // Cancelled at the last moment: what was stored is nobody's.
      if (!settled && job.status === "cancelled") await storage().removeAll(outputFolder(job.id));
      return;
    }
    case "fetched":
      await handOn(lease, outcome.fetched);
      return;
    case "fail":
      await fail(outcome.code, outcome.sentence);
      return;
    case "retry":
      await tryAgain(lease, { delaySeconds: outcome.delaySeconds, countAttempt: true });
      return;
    case "wait":
      await tryAgain(lease, { delaySeconds: outcome.delaySeconds, countAttempt: false });
      return;
    case "stopped":
      if (outcome.reason === "timed_out")
        await fail("timed_out", "The job took longer than it may.");
      if (outcome.reason === "stopping") {
        await tryAgain(lease, { delaySeconds: 0, countAttempt: false });
      }
      // Cancelled and lost jobs are another's to write.
      return;
  }
}

/** The job goes on with an engine, on whichever runner has one. */
async function handOn(lease: Lease, fetched: FetchedInputs): Promise<void> {
  await announceReleased((tx) => releaseFetched(tx, lease, fetched), 0);
}

async function tryAgain(
  lease: Lease,
  release: { delaySeconds: number; countAttempt: boolean },
): Promise<void> {
  await announceReleased((tx) => releaseJob(tx, lease, release), release.delaySeconds);
}

async function announceReleased(
  release: (tx: Queryable) => Promise<JobRow | undefined>,
  delaySeconds: number,
): Promise<void> {
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    const job = await release(tx);
    if (!job) return undefined;
    // A try that was taken back leaves the count of tries as it was.
    const ticket = jobMessage(job, { delaySeconds: Math.ceil(delaySeconds), again: true });
    return opened.announceJob(tx, ticket);
  });
  await afterCommit?.();
}
