import { channels } from "#lib/db/channels.ts";
import { db } from "#lib/db/client.ts";
import { listen } from "#lib/db/listen.ts";
import { renewLease } from "#lib/db/queries/jobs/leases.ts";
import { startDeadline } from "#lib/deadline.ts";
import { log } from "#lib/log.ts";
import { notifyJobChangeNow } from "../follow/changes.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { JobStoppedError, type StopReason } from "./failures.ts";
import { removeLeftovers } from "./leftovers.ts";

/** Times of a runner, in seconds. Short in tests. */
export interface LeaseTimes {
  /** How long a lease lasts without a renewal. */
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  /** How long a job may run. */
  readonly timeoutSeconds: number;
  /** How long a stopping runner lets its jobs run before it releases them. */
  readonly gracePeriodSeconds: number;
  /** How long work that must stop is waited for. After that, its slot is free although it has not ended. Default: 15. */
  readonly abandonSeconds?: number;
}

const defaultAbandonSeconds = 15;

/** What the work on a job needs while the job is held. */
export interface HeldJob {
  /** A signal that is aborted when the work must stop. */
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
  /** Lets the time of the job begin now: waiting for an engine does not count. */
  readonly restartTimeout: () => void;
}

/**
 * Holds a job while `work` runs. Renews the lease, and writes the progress about once per second if it
 * changed. Aborts `work` if the job is cancelled, exceeds its time or is no longer held by this runner,
 * and then throws `JobStoppedError`: also if `work` ignores that, such as one that waits for a store that hangs.
 */
export async function holdLease<Result>(
  { job, lease }: ClaimedJob,
  times: LeaseTimes,
  stopping: AbortSignal,
  work: (held: HeldJob) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let stopReason: StopReason | undefined;
  let running: Promise<Result> | undefined;
  const abandoned = Promise.withResolvers<never>();
  let abandonTimer: NodeJS.Timeout | undefined;
  const abandon = () => {
    log.error(
      { job: lease.jobId, reason: stopReason },
      "work abandoned, it ignores that it must stop",
    );
    void running?.finally(() => removeLeftovers(lease.jobId)).catch(() => {});
    abandoned.reject(new Error("the work ignores its signal"));
  };
  const stop = (reason: StopReason) => {
    stopReason ??= reason;
    controller.abort();
    const { abandonSeconds = defaultAbandonSeconds } = times;
    abandonTimer ??= setTimeout(abandon, abandonSeconds * 1000);
  };
  let percent = 0;
  let written = 0;
  let lastRenewal = Date.now();

  // An unavailable database is no reason to stop. A lease that ran out meanwhile is.
  const renew = async (reports: boolean) => {
    const renewal = renewLease(db(), lease, times.leaseSeconds, percent, reports);
    const held = await renewal.catch((err) => {
      log.warn({ err, job: lease.jobId }, "lease renewal failed");
      return true;
    });
    if (!held) stop("lost");
  };

  const tick = async () => {
    const changed = percent - written >= 1;
    if (!changed && Date.now() - lastRenewal < times.renewSeconds * 1000) return;
    lastRenewal = Date.now();
    written = percent;
    await renew(changed);
    if (changed) await notifyJobChangeNow(job);
  };

  const startTimeout = () =>
    startDeadline({ timeoutMs: times.timeoutSeconds * 1000, signal: stopping }, (reason) =>
      stop(reason === "timedOut" ? "timed_out" : "stopping"),
    );
  let cancelTimeout = startTimeout();
  const ticker = setInterval(() => void tick(), Math.min(1000, times.renewSeconds * 500));
  const unregister = cancellations.register(lease.jobId, () => stop("cancelled"));
  try {
    // Cancelled between the claim and the registration.
    controller.signal.throwIfAborted();
    running = work({
      signal: controller.signal,
      progress: (next) => {
        percent = Math.max(percent, Math.min(99, next));
      },
      restartTimeout: () => {
        cancelTimeout();
        cancelTimeout = startTimeout();
      },
    });
    return await Promise.race([running, abandoned.promise]);
  } catch (error) {
    throw stopReason ? new JobStoppedError(stopReason, { cause: error }) : error;
  } finally {
    clearInterval(ticker);
    clearTimeout(abandonTimer);
    cancelTimeout();
    unregister();
  }
}

/** How long a cancellation of a job without a handler is kept. Longer than claiming a job takes. */
const keptMs = 30_000;

/** Stops the running jobs of this process when they are cancelled. */
class Cancellations {
  readonly #handlers = new Map<string, () => void>();
  /** When jobs without a handler were cancelled, oldest first. This process may be claiming them. */
  readonly #recent = new Map<string, number>();

  /** Starts to listen. Without it, a cancellation is noticed at the next lease renewal. */
  listen(): Promise<() => Promise<void>> {
    return listen(channels.jobCancelled, (jobId) => this.#cancel(jobId));
  }

  /** Calls `onCancel` when the job is cancelled, at once if it was cancelled a short time ago. */
  register(jobId: string, onCancel: () => void): () => void {
    this.#handlers.set(jobId, onCancel);
    if (this.#recent.delete(jobId)) onCancel();
    return () => this.#handlers.delete(jobId);
  }

  #cancel(jobId: string): void {
    const handler = this.#handlers.get(jobId);
    if (handler) {
      handler();
      return;
    }
    const now = Date.now();
    for (const [id, at] of this.#recent) {
      if (now - at < keptMs) break;
      this.#recent.delete(id);
    }
    this.#recent.set(jobId, now);
  }
}

export const cancellations = new Cancellations();
