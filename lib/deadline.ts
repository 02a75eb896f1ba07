/** Timeouts: the timers of work that must not take longer than a given time. */

export interface Deadline {
  readonly timeoutMs: number;
  /** Ends the work earlier. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `onStop` once: after `timeoutMs`, or when `signal` is aborted (immediately if it already
 * is). Call the returned function when the work has ended.
 */
export function startDeadline(
  { timeoutMs, signal }: Deadline,
  onStop: (reason: "timedOut" | "aborted") => void,
): () => void {
  const cancel = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  const stop = (reason: "timedOut" | "aborted") => {
    cancel();
    onStop(reason);
  };
  const onAbort = () => stop("aborted");
  const timer = setTimeout(() => stop("timedOut"), timeoutMs);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return cancel;
}

/**
 * The result of `work`. Rejects with `createError()` after `timeoutMs`; the work itself goes on.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  createError: () => Error,
): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const cancel = startDeadline({ timeoutMs }, () => reject(createError()));
  try {
    return await Promise.race([work, timeout]);
  } finally {
    cancel();
  }
}

/**
 * The result of `work`, or undefined after `timeoutMs` or when `signal` is aborted; the work goes
 * on.
 */
export async function waitAtMost<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Result | undefined> {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  const cancel = startDeadline({ timeoutMs, signal }, () => resolve(undefined));
  try {
    return await Promise.race([work, stopped]);
  } finally {
    cancel();
  }
}
