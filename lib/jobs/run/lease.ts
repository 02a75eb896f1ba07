import { db, listen } from "#lib/db/client.ts";
import { type Lease, renewLease } from "#lib/db/queries/jobs/leases.ts";
import { log } from "#lib/log.ts";
import { notifyJobChangeNow } from "../follow/changes.ts";
import { JobStoppedError, type StopReason } from "./failures.ts";

/** Times of a runner, in seconds; short in tests. */
export interface LeaseTimes {
  /** How long a hold lasts without a renewal. */
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  /** How long a job may run. */
  readonly timeoutSeconds: number;
  /** How long a runner that stops lets its jobs go on before it hands them back. */
  readonly finishSeconds: number;
}

/** The channel on which a cancellation is told; its payload is the job's id. */
export const cancelChannel = "job_cancelled";

/**
 * Holds a job while `work` runs: renews the lease and writes the progress about once a second where
 * it moved, and aborts `work` when the job is cancelled, over its time, or no longer ours: then it throws
 * `JobStoppedError`.
 */
export async function holdLease<Result>(
  lease: Lease,
  times: LeaseTimes,
  stopping: AbortSignal,
  work: (signal: AbortSignal, progress: (percent: number) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let reason: StopReason | undefined;
  const stop = (why: StopReason) => {
    reason ??= why;
    controller.abort();
  };
  let percent = 0;
  let written = 0;
  let lastRenewal = Date.now();

  // A database that is away is no reason to stop; a lease that has run out meanwhile is.
  const renew = async () => {
    const ours = await renewLease(db(), lease, times.leaseSeconds, percent).catch((err) => {
      log.warn({ err, job: lease.jobId }, "the lease could not be renewed");
      return true;
    });
    if (!ours) stop("lost");
  };

  const tick = async () => {
    const moved = percent - written >= 1;
    if (!moved && Date.now() - lastRenewal < times.renewSeconds * 1000) return;
    lastRenewal = Date.now();
    written = percent;
    await renew();
    if (moved) await notifyJobChangeNow(lease.jobId);
  };

  const onStop = () => stop("stopping");
  if (stopping.aborted) onStop();
  stopping.addEventListener("abort", onStop, { once: true });
  const ticker = setInterval(() => void tick(), Math.min(1000, times.renewSeconds * 500));
  const timer = setTimeout(() => stop("timed_out"), times.timeoutSeconds * 1000);
  const unregister = cancellations.register(lease.jobId, () => stop("cancelled"));
  try {
    // Now that a cancellation would be heard: was there one before?
    await renew();
    controller.signal.throwIfAborted();
    return await work(controller.signal, (next) => {
      percent = Math.max(percent, Math.min(99, next));
    });
  } catch (error) {
    throw reason ? new JobStoppedError(reason, { cause: error }) : error;
  } finally {
    clearInterval(ticker);
    clearTimeout(timer);
    stopping.removeEventListener("abort", onStop);
    unregister();
  }
}

/** The jobs of this process that want to hear of their cancellation. */
class Cancellations {
  readonly #handlers = new Map<string, () => void>();

  /** Begins to listen; without it a cancellation is noticed at the next renewal. */
  listen(): Promise<() => Promise<void>> {
    return listen(cancelChannel, (jobId) => this.#handlers.get(jobId)?.());
  }

  register(jobId: string, onCancel: () => void): () => void {
    this.#handlers.set(jobId, onCancel);
    return () => this.#handlers.delete(jobId);
  }
}

export const cancellations = new Cancellations();
