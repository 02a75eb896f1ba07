import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { runnerDeathLimits } from "#lib/db/queries/jobs/claims.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { plans } from "#lib/plans.ts";
import { collectTimings, type Timings, traceStep } from "#lib/timings.ts";
import type { Span } from "#lib/tracing/spans.ts";
import { withAttemptSpan } from "./attempt-span.ts";
import { stepsBefore } from "./chain.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { type EngineSlots, EnginesBusyError } from "./engine-slots.ts";
import { exportOutputs } from "./export.ts";
import { classifyFailure, JobStoppedError } from "./failures.ts";
import { fetchInputs } from "./inputs/fetch.ts";
import { type HeldJob, holdLease, type LeaseTimes } from "./lease.ts";
import { processJob } from "./process.ts";
import { type Outcome, settleOutcome } from "./settle-outcome.ts";

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
        retryWhileUnavailable(() => settleOutcome(claimed, outcome), options.stopping),
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
