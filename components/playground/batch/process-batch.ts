import { followJob } from "#components/jobs/follow/follow-job.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { BatchItem, ItemState } from "./batch.ts";
import type { PreparedBatch } from "./prepare-batch.ts";
import { type BatchPause, runBatch } from "./run-batch.ts";
import { explainFailure, sendItem, sleep } from "./send-item.ts";

interface BatchProcess {
  readonly run: { readonly id: string; readonly items: readonly BatchItem[] };
  /** The files that are sent now. */
  readonly indices: readonly number[];
  readonly prepared: PreparedBatch;
  /** Differs between the runs of a page, so that a file that is sent again starts another job. */
  readonly attempt: number;
  readonly uploads: HostUploads;
  readonly cancelJob: JobActionHandlers["cancel"];
  readonly onState: (index: number, state: ItemState) => void;
  readonly onPause: (pause: BatchPause | undefined) => void;
}

/** Sends files of a batch and follows their jobs until all have ended or `signal` aborts. */
export async function processBatch(process: BatchProcess, signal: AbortSignal): Promise<void> {
  const { run, indices, prepared, attempt, uploads, cancelJob, onState, onPause } = process;
  await runBatch(
    indices,
    {
      send: async (index, signal, onPercent) => {
        const item = run.items[index];
        const request = item && prepared.requestOf(item, run.id);
        if (!request) return { kind: "lost" };
        const idempotencyKey = `${run.id}-${index}-${attempt}`;
        return sendItem({ ...request, idempotencyKey }, uploads, signal, onPercent);
      },
      follow: async (jobId, signal, onPercent) => {
        const details = await followJob(jobId, signal, onPercent);
        if (!details) void cancelJob(jobId);
        return details;
      },
      onState,
      onPause,
      sleep,
      explain: explainFailure,
    },
    signal,
  );
}
