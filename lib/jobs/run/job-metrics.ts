import type { JobRow } from "#lib/db/schema/jobs.ts";
import { jobBytes, jobFailures, jobPhase, jobSeconds, jobsEnded, jobWait } from "#lib/metrics.ts";
import { exemplarOf } from "#lib/tracing/trace-context.ts";
import { startReporting } from "../metrics-report.ts";
import { phasesOf } from "../view/phases.ts";

/** Counts a job that has just ended. `inputBytes` is what it is charged for. */
export function recordJobMetrics(job: JobRow, inputBytes: number): void {
  startReporting();
  const { operation, plan, status: outcome } = job;
  jobsEnded.inc({ operation, outcome });
  if (job.errorCode) jobFailures.inc({ code: job.errorCode });
  if (job.startedAt) {
    const waitedSeconds = (job.startedAt.getTime() - job.createdAt.getTime()) / 1000;
    jobWait.observe({ plan }, Math.max(0, waitedSeconds));
  }
  if (job.completedAt) {
    const value = Math.max(0, job.completedAt.getTime() - job.createdAt.getTime()) / 1000;
    const exemplarLabels = exemplarOf(job.traceContext);
    jobSeconds.observe({ labels: { outcome }, value, exemplarLabels });
  }
  for (const { name, from, to } of phasesOf(job)) {
    const phase = name === "working" ? "engine" : name;
    jobPhase.observe({ phase }, (Date.parse(to ?? from) - Date.parse(from)) / 1000);
  }
  if (outcome !== "completed") return;
  jobBytes.inc({ operation, direction: "in" }, inputBytes);
  const outputBytes = job.outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  jobBytes.inc({ operation, direction: "out" }, outputBytes);
}
