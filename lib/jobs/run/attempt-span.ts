import type { JobRow } from "#lib/db/schema/jobs.ts";
import { recordSpan, type Span, withSpan } from "#lib/tracing/spans.ts";
import { siblingOf } from "#lib/tracing/trace-context.ts";
import { attemptNumber } from "../storage-keys.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";

/** The fields of a job that its spans show. No file name, URL or parameter is among them. */
export function jobAttributes(job: JobRow) {
  return {
    "mediamill.job_id": job.id,
    "mediamill.account_id": job.accountId,
    "mediamill.request_id": job.requestId,
    "mediamill.operation": job.operation,
    "mediamill.plan": job.plan,
    "mediamill.stage": job.stage,
  };
}

const nameOf = ({ stage, operation }: JobRow) => `${stage} ${operation}`;

/**
 * Does `work` in the span of an attempt, in the trace of the job's request, after a span of its time in
 * the queue. The attempt's id comes from its lease, so that another runner can record the span of an
 * attempt whose runner vanished, and the next attempt can refer to it.
 */
export function withAttemptSpan<Result>(
  { job, lease }: ClaimedJob,
  fields: Readonly<Record<string, string>>,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = job.traceContext;
  const claimedAt = new Date();
  if (parent) {
    // Each release of a job writes since when it is due.
    recordSpan("wait in queue", { parent, startedAt: job.runAfter, endedAt: claimedAt });
  }
  const lost = parent?.lost;
  return withSpan(
    nameOf(job),
    {
      kind: "consumer",
      parent,
      links: parent && lost ? [siblingOf(parent, lost.token)] : [],
      seed: lease.token,
      attributes: {
        ...jobAttributes(job),
        "mediamill.attempt": attemptNumber(job),
        "mediamill.runner_deaths": job.runnerDeaths,
        "mediamill.inngest_run": fields.inngest_run,
      },
    },
    work,
  );
}

/** Records the span of an attempt whose runner vanished: the runner could not. `job` was released. */
export function recordLostAttempt(job: JobRow): void {
  const parent = job.traceContext;
  if (!parent?.lost) return;
  const { token, dueAt } = parent.lost;
  const claimedAt = (job.stage === "run" ? job.engineStartedAt : job.startedAt)?.getTime() ?? 0;
  recordSpan(nameOf(job), {
    kind: "consumer",
    parent,
    seed: token,
    // The first claim, if an earlier attempt failed: the row has no time of each one.
    startedAt: new Date(Math.max(Date.parse(dueAt), claimedAt)),
    endedAt: new Date(),
    error: "runner_lost",
    attributes: { ...jobAttributes(job), "mediamill.attempt": attemptNumber(job) },
  });
}
