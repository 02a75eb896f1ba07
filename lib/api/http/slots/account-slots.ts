import { RequestError } from "#lib/errors.ts";

interface SlotLimit {
  /** How many an account may hold at a time in this process. */
  readonly max: number;
  /** The message of the error `rate_limited`. */
  readonly message: string;
  /** How soon a client may try again, in seconds. */
  readonly retryAfterSeconds: number;
  /** How many requests of an account may wait for a slot. Default: 0. */
  readonly maxWaiting?: number;
}

/** Slots for requests that are open for long or need much memory, so many for each account. */
export class AccountSlots {
  readonly #limit: SlotLimit;
  /** Slots that are held, by account. */
  readonly #held = new Map<string, number>();
  /** Requests that wait for a slot, by account, the oldest first. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(limit: SlotLimit) {
    this.#limit = limit;
  }

  /** Takes a slot until the returned function is called. Throws `rate_limited` if there is none. */
  take(accountId: string): () => void {
    const held = this.#held.get(accountId) ?? 0;
    if (held >= this.#limit.max) throw this.#error();
    this.#held.set(accountId, held + 1);
    return this.#releaseOnce(accountId);
  }

  /** The result of `work`, which holds a slot meanwhile. Throws `rate_limited` if there is none. */
  async hold<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const release = this.take(accountId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * The same as `take`, but waits for a slot until `signal` is aborted. Throws `rate_limited` if too many requests of the
   * account wait.
   */
  async wait(accountId: string, signal: AbortSignal): Promise<() => void> {
    if ((this.#held.get(accountId) ?? 0) < this.#limit.max) return this.take(accountId);
    const waiting = this.#waiting.get(accountId) ?? new Set();
    if (waiting.size >= (this.#limit.maxWaiting ?? 0) || signal.aborted) throw this.#error();
    this.#waiting.set(accountId, waiting);
    await new Promise<void>((resolve, reject) => {
      const receive = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(receive);
        if (waiting.size === 0) this.#waiting.delete(accountId);
        reject(this.#error());
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(receive);
    });
    return this.#releaseOnce(accountId);
  }

  #error(): RequestError {
    const { message, retryAfterSeconds } = this.#limit;
    const headers = { "Retry-After": String(retryAfterSeconds) };
    return new RequestError("rate_limited", message, { headers });
  }

  #releaseOnce(accountId: string): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(accountId);
      isHeld = false;
    };
  }

  /** Hands the slot to the request that has waited the longest. */
  #release(accountId: string): void {
    const waiting = this.#waiting.get(accountId);
    const [next] = waiting ?? [];
    if (waiting && next) {
      waiting.delete(next);
      if (waiting.size === 0) this.#waiting.delete(accountId);
      next();
      return;
    }
    const left = (this.#held.get(accountId) ?? 1) - 1;
    if (left > 0) this.#held.set(accountId, left);
    else this.#held.delete(accountId);
  }
}
