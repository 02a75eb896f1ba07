import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { BatchError, ItemState } from "./batch.ts";

/** What became of sending a file. */
export type Sent =
  | { readonly kind: "accepted"; readonly jobId: string }
  | { readonly kind: "rejected"; readonly error: BatchError }
  /** The service takes no job now. */
  | { readonly kind: "wait"; readonly seconds: number; readonly message: string }
  /** No other file would be accepted either. */
  | { readonly kind: "stop"; readonly message: string }
  | { readonly kind: "lost" };

/** What a batch needs of the page. */
export interface BatchPort {
  /** Sends the file. `attempt` counts from 0: with the same one, a job is created only once. */
  readonly send: (
    index: number,
    signal: AbortSignal,
    onPercent: (percent: number) => void,
  ) => Promise<Sent>;
  /** The job once it is final; undefined if it was aborted. */
  readonly follow: (
    jobId: string,
    signal: AbortSignal,
    onPercent: (percent: number) => void,
  ) => Promise<JobDetails | undefined>;
  readonly onState: (index: number, state: ItemState) => void;
  /** Why nothing is sent now, and for how long; undefined when sending goes on. */
  readonly onPause: (pause: BatchPause | undefined) => void;
  /** Waits, or until the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What to say about a failed job. */
  readonly explain: (details: JobDetails) => BatchError;
}

export interface BatchPause {
  readonly message: string;
  readonly seconds: number;
}

/**
 * The files that are sent or processed at the same time. A browser opens six connections to a host
 * without HTTP/2, and previews need some of them.
 */
export const batchConcurrency = 4;

const maxLost = 6;
const lostMessage = "The connection was lost. Check it and retry.";

/**
 * Runs the files with these indices, a few at a time. A file that fails stops no other. When the
 * service names a time to wait, all files wait for it, and none is lost. Resolves when all have ended.
 */
export async function runBatch(
  indices: readonly number[],
  port: BatchPort,
  signal: AbortSignal,
): Promise<void> {
  const queue = indices.values();
  let pause: Promise<void> | undefined;
  let stopped: string | undefined;

  /** One pause at a time, for all files. */
  function wait(message: string, seconds: number): Promise<void> {
    pause ??= (async () => {
      port.onPause({ message, seconds });
      await port.sleep(seconds * 1000, signal);
      pause = undefined;
      port.onPause(undefined);
    })();
    return pause;
  }

  async function sendOne(index: number): Promise<Sent> {
    for (let lost = 0; ; ) {
      await pause;
      if (signal.aborted) return { kind: "lost" };
      if (stopped !== undefined) return { kind: "stop", message: stopped };
      const report = (percent: number) => port.onState(index, { kind: "sending", percent });
      report(0);
      const sent = await port.send(index, signal, report);
      if (signal.aborted || (sent.kind !== "wait" && sent.kind !== "lost")) return sent;
      if (sent.kind === "lost" && ++lost === maxLost) return sent;
      port.onState(index, { kind: "waiting" });
      // After a lost connection: 1, 2, 4, 8 and 16 seconds.
      if (sent.kind === "lost")
        await wait("The connection was lost. Trying again.", 2 ** (lost - 1));
      else await wait(sent.message, sent.seconds);
    }
  }

  async function runOne(index: number): Promise<ItemState> {
    const sent = await sendOne(index);
    if (sent.kind === "accepted") {
      const { jobId } = sent;
      const report = (percent: number) => port.onState(index, { kind: "running", jobId, percent });
      report(0);
      const details = await port.follow(jobId, signal, report);
      if (!details || details.job.status === "cancelled") return { kind: "cancelled" };
      if (details.job.status === "completed") return { kind: "done", details };
      return { kind: "failed", error: port.explain(details), jobId };
    }
    if (signal.aborted) return { kind: "cancelled" };
    if (sent.kind === "rejected") return { kind: "failed", error: sent.error };
    if (sent.kind === "stop") stopped = sent.message;
    const message = sent.kind === "stop" ? sent.message : lostMessage;
    return { kind: "failed", error: { message, isFinal: false } };
  }

  const work = async () => {
    for (const index of queue) {
      port.onState(index, signal.aborted ? { kind: "cancelled" } : await runOne(index));
    }
  };
  await Promise.all(Array.from({ length: batchConcurrency }, work));
}
