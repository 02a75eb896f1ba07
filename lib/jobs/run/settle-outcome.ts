import { faultPoint } from "#faults";
import { type Queryable, transaction } from "#lib/db/client.ts";
import {
  releaseFetched,
  releaseJob,
  releaseToFetch,
  releaseUnexported,
} from "#lib/db/queries/jobs/leases.ts";
import type { JobRow, JobStepRun, UrlSource } from "#lib/db/schema/jobs.ts";
import { queue } from "#lib/queue/index.ts";
import { removeCopiedInputs } from "../connections/copied-inputs.ts";
import { jobMessage } from "../queue-message.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { type ExportedResult, removeUnexported } from "./export.ts";
import type { RetryDecision } from "./failures.ts";
import type { FetchedInputs } from "./inputs/fetch.ts";
import { removeLeftovers } from "./leftovers.ts";
import { removeEarlierOutputs } from "./outputs.ts";
import type { ProcessedJob } from "./process.ts";
import { settleJob } from "./settle.ts";

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

/**
 * Writes the outcome of a stage: the job ends, or is released for its next stage or attempt. Resolves with the
 * job's row after that; undefined if the job belongs to someone else now.
 */
export async function settleOutcome(
  claimed: ClaimedJob,
  outcome: Outcome,
): Promise<JobRow | undefined> {
  const row = await write(claimed, outcome);
  if (!row) await removeLeftovers(claimed.job.id);
  return row;
}

async function write(claimed: ClaimedJob, outcome: Outcome): Promise<JobRow | undefined> {
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
  if (ended) await removeEarlierOutputs(job);
  return ended;
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
