import { setTimeout as wait } from "node:timers/promises";
import { faultPoint } from "#faults";
import { db, type Queryable, transaction } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { runnerDeathLimits } from "#lib/db/queries/jobs/claims.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import {
  releaseFetched,
  releaseJob,
  releaseToFetch,
  releaseUnexported,
} from "#lib/db/queries/jobs/leases.ts";
import type { JobRow, JobStepRun, UrlSource } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { plans } from "#lib/plans.ts";
import { queue } from "#lib/queue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { collectTimings, type Timings, traceStep } from "#lib/timings.ts";
import type { Span } from "#lib/tracing/spans.ts";
import { removeCopiedInputs } from "../connections/copied-inputs.ts";
import { jobMessage } from "../queue-message.ts";
import { outputFolder } from "../storage-keys.ts";
import { withAttemptSpan } from "./attempt-span.ts";
import { stepsBefore } from "./chain.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { type EngineSlots, EnginesBusyError } from "./engine-slots.ts";
import { type ExportedResult, exportOutputs, removeUnexported } from "./export.ts";
import { classifyFailure, JobStoppedError, type RetryDecision } from "./failures.ts";
import { type FetchedInputs, fetchInputs } from "./fetch.ts";
import { type HeldJob, holdLease, type LeaseTimes } from "./lease.ts";
import { removeEarlierOutputs } from "./outputs.ts";
import { type ProcessedJob, processJob } from "./process.ts";
import { settleJob } from "./settle.ts";

export interface RunOptions {
  readonly times: LeaseTimes;
  /**
   * A signal that is aborted when the runner stops: the job is released and the attempt is not
   * counted.
   */
  readonly stopping: AbortSignal;
  /** The slots that all jobs of the runner share. */
  readonly engineSlots: EngineSlots;
  /** Fields of the log lines about the job. */
  readonly logFields?: Readonly<Record<string, string>>;
}

/** How the work on a claimed job ended, before it is settled. */
export type Outcome =
  | { readonly kind: "processed"; readonly processed: ProcessedJob }
  | { readonly kind: "fetched"; readonly fetched: FetchedInputs }
  | { readonly kind: "exported"; readonly exported: ExportedResult }
  /** The input cannot be read in part and must be fetched. */
  | { readonly kind: "unfetched"; readonly source: UrlSource }
  /** The runner stops, or has no free engine. */
  | { readonly kind: "interrupted" }
  /** The job was cancelled or lost: it belongs to someone else now. */
  | { readonly kind: "abandoned" }
  | (RetryDecision & {
      /** The operations of a chain that were completed before. */
      readonly steps?: readonly JobStepRun[] | undefined;
    });

const setAside: Outcome = {
  kind: "fail",
  code: "set_aside",
  message: "The job was set aside because every runner that worked on it stopped unexpectedly.",
};

/**
 * Runs the current stage of a claimed job: to the job's end, or until it waits for its next stage or
 * attempt. The same under every queue. Resolves with the job's row after that; undefined if the job
 * belongs to someone else now, such as because it was cancelled. `onWorked` is called with the outcome
 * before it is written.
 */
export async function runJob(
  claimed: ClaimedJob,
  options: RunOptions,
  onWorked: (outcome: Outcome) => void = () => {},
): Promise<JobRow | undefined> {
  return withAttemptSpan(claimed, options.logFields ?? {}, async (span) => {
    const steps: Timings = {};
    const row = await collectTimings(steps, async () => {
      const outcome = await work(claimed, options);
      onWorked(outcome);
      recordOutcome(span, outcome);
      return traceStep("settle", () =>
        retryWhileUnavailable(() => settle(claimed, outcome), options.stopping),
      );
    });
    const { id, stage } = claimed.job;
    log.debug({ job: id, stage, steps }, "job stage timed");
    return row;
  });
}

/** An attempt after which another one follows has failed too. */
function recordOutcome(span: Span, outcome: Outcome): void {
  span.setAttributes({ "mediamill.outcome": outcome.kind });
  if (outcome.kind === "fail") span.fail(outcome.code);
  if (outcome.kind === "retry" || outcome.kind === "wait") span.fail(outcome.kind);
}

const databaseRetryMs = 500;

/**
 * Retries `write` while the database is unavailable, so that finished work is not lost. Gives up when
 * the runner stops.
 */
async function retryWhileUnavailable<Result>(
  write: () => Promise<Result>,
  stopping: AbortSignal,
): Promise<Result> {
  while (true) {
    try {
      return await write();
    } catch (error) {
      if (stopping.aborted || !isDatabaseUnavailable(error)) throw error;
      await wait(databaseRetryMs);
    }
  }
}

async function work(claimed: ClaimedJob, options: RunOptions): Promise<Outcome> {
  const { stopping, engineSlots } = options;
  const { job } = claimed;
  const { jobSeconds = Infinity } = plans[job.plan];
  const timeoutSeconds = Math.min(options.times.timeoutSeconds, jobSeconds);
  const times = { ...options.times, timeoutSeconds };
  if (job.runnerDeaths >= runnerDeathLimits.setAside) return setAside;
  const jobLog = log.child({ job: job.id, request_id: job.requestId, ...options.logFields });
  const { operation, stage, attempts: attempt } = job;
  const startedAt = Date.now();
  jobLog.info({ operation, stage, attempt }, "job started");
  try {
    const outcome = await holdLease(claimed, times, stopping, (held) =>
      runStage(claimed, held, engineSlots),
    );
    jobLog.info({ stage, duration_ms: Date.now() - startedAt }, "job stage completed");
    return outcome;
  } catch (error) {
    if (error instanceof JobStoppedError) {
      const { reason } = error;
      jobLog.info({ reason, duration_ms: Date.now() - startedAt }, "job stopped");
      if (reason === "timed_out") return timedOut(timeoutSeconds);
      return { kind: reason === "stopping" ? "interrupted" : "abandoned" };
    }
    if (error instanceof RangesUnusableError && job.source.kind === "remote") {
      jobLog.info({ reason: error.message }, "job input must be fetched as a whole");
      return { kind: "unfetched", source: { kind: "url", url: job.source.url, whole: true } };
    }
    if (error instanceof EnginesBusyError) {
      jobLog.info({ duration_ms: Date.now() - startedAt }, "job released, all engines are busy");
      return { kind: "interrupted" };
    }
    const decision = classifyFailure(error, job);
    const level = error instanceof JobError && error.fault === "caller" ? "info" : "error";
    jobLog[level]({ err: error, decision }, "job attempt failed");
    return { ...decision, steps: stepsBefore(error) };
  }
}

async function runStage(
  claimed: ClaimedJob,
  held: HeldJob,
  engineSlots: EngineSlots,
): Promise<Outcome> {
  const { stage, unexported } = claimed.job;
  if (unexported) {
    return { kind: "exported", exported: await exportOutputs(claimed, unexported, held) };
  }
  if (stage === "fetch") {
    return { kind: "fetched", fetched: await fetchInputs(claimed, held.signal) };
  }
  return { kind: "processed", processed: await processJob(claimed, held, engineSlots) };
}

function timedOut(seconds: number): Outcome {
  const message = `The job ran longer than the maximum of ${seconds} seconds.`;
  return { kind: "fail", code: "timed_out", message };
}

async function settle(claimed: ClaimedJob, outcome: Outcome): Promise<JobRow | undefined> {
  const { job, lease } = claimed;
  faultPoint("before-settle", job.id);
  switch (outcome.kind) {
    case "processed":
      return job.target
        ? releaseToExport(claimed, outcome.processed)
        : complete(claimed, outcome.processed);
    case "exported":
      return completeExported(claimed, outcome.exported);
    case "fetched":
      return releaseAndEnqueue((tx) => releaseFetched(tx, lease, outcome.fetched), 0);
    case "unfetched":
      return releaseAndEnqueue((tx) => releaseToFetch(tx, lease, outcome.source), 0);
    case "fail":
      return fail(claimed, outcome);
    case "retry":
      return releaseForRetry(claimed, outcome.delaySeconds, { countAttempt: true });
    case "wait":
      return releaseForRetry(claimed, outcome.delaySeconds, { countAttempt: false });
    case "interrupted":
      return releaseForRetry(claimed, 0, { countAttempt: false });
    case "abandoned":
      return undefined;
  }
}

async function complete(claimed: ClaimedJob, processed: ProcessedJob): Promise<JobRow | undefined> {
  const { job } = claimed;
  const { bytes, ...result } = processed;
  const state = { status: "completed", error: null, errorCode: null } as const;
  const ended = await settleJob(claimed, { ...state, ...result }, bytes);
  if (ended) {
    await removeEarlierOutputs(job);
    return ended;
  }
  await removeIfCancelled(job.id);
  return undefined;
}

/** Keeps what the operation has made, so that a failed export does not do its work again. */
async function releaseToExport(
  { job, lease }: ClaimedJob,
  { engineStartedAt, engineEndedAt, ...unexported }: ProcessedJob,
): Promise<JobRow | undefined> {
  const times = { engineEndedAt, ...(engineStartedAt && { engineStartedAt }) };
  const released = await releaseAndEnqueue(
    (tx) => releaseUnexported(tx, lease, { unexported, ...times }),
    0,
  );
  if (released) await removeEarlierOutputs(job);
  else await removeIfCancelled(job.id);
  return released;
}

async function completeExported(
  claimed: ClaimedJob,
  { result: { bytes, ...result }, outputs }: ExportedResult,
): Promise<JobRow | undefined> {
  const state = { status: "completed", error: null, errorCode: null } as const;
  const ended = await settleJob(claimed, { ...state, ...result, outputs }, bytes);
  if (ended && !ended.target?.keep) {
    await removeUnexported(claimed.job);
    await removeCopiedInputs(ended);
  }
  return ended;
}

/** What a job that was cancelled meanwhile has stored belongs to no job. */
async function removeIfCancelled(id: string): Promise<void> {
  const current = await findJobById(db(), id);
  if (current?.status === "cancelled") await storage().removeAll(outputFolder(id));
}

async function fail(
  claimed: ClaimedJob,
  { code, message, steps }: Extract<Outcome, { kind: "fail" }>,
): Promise<JobRow | undefined> {
  const state = { status: "failed", error: message, errorCode: code } as const;
  const before = steps ? [...steps] : null;
  const nothing = { result: null, warnings: [], outputs: [] };
  const ended = await settleJob(claimed, { ...state, ...nothing, steps: before }, 0);
  if (ended) await removeUnexported(claimed.job);
  return ended;
}

async function releaseForRetry(
  { lease }: ClaimedJob,
  delaySeconds: number,
  { countAttempt }: { readonly countAttempt: boolean },
): Promise<JobRow | undefined> {
  const release = { delaySeconds, countAttempt };
  return releaseAndEnqueue((tx) => releaseJob(tx, lease, release), delaySeconds);
}

async function releaseAndEnqueue(
  release: (tx: Queryable) => Promise<JobRow | undefined>,
  delaySeconds: number,
): Promise<JobRow | undefined> {
  const opened = await queue();
  const { job, afterCommit } = await transaction(async (tx) => {
    const job = await release(tx);
    if (!job) return { job, afterCommit: undefined };
    // `again`, because an attempt that is not counted leaves the attempt number as it was.
    const message = jobMessage(job, { delaySeconds: Math.ceil(delaySeconds), again: true });
    return { job, afterCommit: await opened.enqueueJob(tx, message) };
  });
  await afterCommit?.();
  return job;
}
