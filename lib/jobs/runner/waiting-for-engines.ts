import { db } from "#lib/db/client.ts";
import {
  claimOverdueJob,
  listWaitingOperations,
  warnWaitingJobs,
} from "#lib/db/queries/jobs/waiting-for-engines.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { times } from "#times";
import { describeMissing, findMissingEngines } from "../missing-engines.ts";
import { maxWaitSeconds } from "../run/failures.ts";
import { settleJob } from "../run/settle.ts";
import { liveMediaRunners } from "./heartbeat.ts";

/**
 * Jobs that were accepted and that no live runner can run, because an engine is missing or does not start:
 * each says so in its warnings, and fails when it has waited for a day.
 */
export async function sweepWaitingForEngines(): Promise<void> {
  const reports = await liveMediaRunners();
  const isComplete = ({ engines }: (typeof reports)[number]) =>
    !Object.values(engines).includes(null);
  if (reports.some(isComplete)) return;
  for (const operations of await listWaitingOperations(db())) {
    const missing = findMissingEngines(operations, reports);
    if (!missing) continue;
    const warning = `The job waits. ${describeMissing("It", missing)}`;
    const jobs = await warnWaitingJobs(db(), operations, warning);
    if (jobs > 0) {
      log.error(
        { operations, engines: missing.engines, jobs },
        "jobs wait for engines that no runner has",
      );
    }
    await failOverdue(operations, describeMissing("The job", missing));
  }
}

async function failOverdue(operations: readonly string[], error: string): Promise<void> {
  while (true) {
    const token = createToken();
    const { leaseSeconds } = times;
    const overdue = { ageSeconds: maxWaitSeconds, token, leaseSeconds };
    const job = await claimOverdueJob(db(), operations, overdue);
    if (!job) return;
    const state = {
      status: "failed",
      result: null,
      warnings: [],
      error,
      errorCode: "internal",
    } as const;
    await settleJob({ job, lease: { jobId: job.id, token } }, { ...state, outputs: [] }, 0);
  }
}
