import type { JobRow } from "#lib/db/schema/jobs.ts";
import { jobBytes, jobFailures, jobPhase, jobsEnded, jobWait } from "#lib/metrics.ts";
import { startReporting } from "../metrics-report.ts";
import { planOf } from "../queue-message.ts";
import { phasesOf } from "../view/phases.ts";

/** Counts a job that has ended just now; `inputBytes` are those that it is charged for. */
export function countEnd(job: JobRow, inputBytes: number): void {
  startReporting();
  const { operation, status: outcome } = job;
  jobsEnded.inc({ operation, outcome });
  if (job.errorCode) jobFailures.inc({ code: job.errorCode });
  if (job.startedAt) {
    const waited = (job.startedAt.getTime() - job.createdAt.getTime()) / 1000;
    jobWait.observe({ plan: planOf(job) }, Math.max(0, waited));
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
