import { log } from "#lib/log.ts";

/** How long a slot waits after it could not look for work. */
const retryMs = 2000;

/**
 * Runs work in a fixed number of concurrent slots. `wake` only signals that there may be work.
 * `runNext` finds the work and runs it.
 */
export class WorkerLoop {
  readonly #concurrency: number;
  readonly #runNext: (onMore: () => void) => Promise<void>;
  readonly #running = new Set<Promise<void>>();
  #busySlots = 0;
  #mayHaveWork = false;
  #stopped = false;

  /** `runNext` calls `onMore` as soon as there may be more work, so that another slot looks for it. */
  constructor(concurrency: number, runNext: (onMore: () => void) => Promise<void>) {
    this.#concurrency = concurrency;
    this.#runNext = runNext;
  }

  /** Whether a slot is free. */
  get hasFree(): boolean {
    return this.#busySlots < this.#concurrency;
  }

  /** Lets a slot look for work: a free one now, else the first one that gets free. */
  wake(): void {
    this.#mayHaveWork = true;
    if (this.#stopped || !this.hasFree) return;
    this.#busySlots++;
    const slot = this.#runAll().catch((err) => {
      log.error({ err }, "claiming work failed");
      setTimeout(() => this.wake(), retryMs).unref();
    });
    const ended = slot.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }

  /** Starts no more work. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no slot is in use. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #runAll(): Promise<void> {
    try {
      while (!this.#stopped && this.#mayHaveWork) {
        this.#mayHaveWork = false;
        await this.#runNext(() => this.wake());
      }
    } finally {
      // In the same turn as the check above, so that a wake in between finds the slot free.
      this.#busySlots--;
    }
  }
}
