/** No engine became free in time. The job is released, so that another runner can take it. */
export class EnginesBusyError extends Error {
  override readonly name = "EnginesBusyError";

  constructor() {
    super("no engine became free in time");
  }
}

export interface EngineSlotsOptions {
  /** Jobs that use engines at the same time. */
  readonly size: number;
  /**
   * After this time in which no waiting job got a slot, all of them fail with `EnginesBusyError`. By
   * default they wait without a limit.
   */
  readonly maxWaitMs?: number;
}

interface WaitingJob {
  grant(): void;
  reject(error: unknown): void;
}

/**
 * The slots of one runner for jobs on engines. A runner holds more jobs than slots: the next ones are
 * prepared and the last ones are stored while others are on the engines. Slots are granted in order.
 */
export class EngineSlots {
  readonly #size: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<WaitingJob>();
  #busy = 0;
  #lastGrantAt = 0;
  #lastUseMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The function that is called whenever a slot becomes free. */
  onRelease: () => void = () => {};

  constructor({ size, maxWaitMs = Number.POSITIVE_INFINITY }: EngineSlotsOptions) {
    this.#size = size;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Whether a job that needs a slot now gets one at once. */
  get hasFree(): boolean {
    return this.#busy < this.#size;
  }

  /**
   * Whether a slot is free or is likely to be soon. While the engines are busy with long jobs, a runner
   * takes no more jobs: other runners may be idle.
   */
  get isSoonFree(): boolean {
    if (this.hasFree) return true;
    const currentUseMs = performance.now() - this.#lastGrantAt;
    return Math.max(currentUseMs, this.#lastUseMs) < this.#maxWaitMs / 2;
  }

  /**
   * Resolves when the job has a slot, with the function that releases it. Rejects with
   * `EnginesBusyError`, or with the reason of `signal` if it is aborted before.
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.hasFree && this.#waiting.size === 0) return this.#take();
    if (this.#isClosed) throw new EnginesBusyError();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting = { grant: () => resolve(this.#take()), reject };
    const onAbort = () => {
      this.#waiting.delete(waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.add(waiting);
    this.#startTimer();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Rejects the jobs that wait, now and later, because the runner stops. */
  close(): void {
    this.#isClosed = true;
    this.#rejectWaiting();
  }

  #take(): () => void {
    const grantedAt = performance.now();
    this.#busy++;
    this.#lastGrantAt = grantedAt;
    this.#startTimer();
    return () => {
      this.#busy--;
      this.#lastUseMs = performance.now() - grantedAt;
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next.grant();
      }
      this.onRelease();
    };
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0 || this.#maxWaitMs === Number.POSITIVE_INFINITY) return;
    const elapsedMs = performance.now() - this.#lastGrantAt;
    const delayMs = Math.max(0, this.#maxWaitMs - elapsedMs);
    this.#timer = setTimeout(() => this.#rejectWaiting(), delayMs);
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting) reject(new EnginesBusyError());
    this.#waiting.clear();
  }
}
