import { log } from "#lib/log.ts";

/**
 * Runs work in a fixed number of concurrent slots. `wake` only signals that there may be work.
 * `runNext` finds the work and runs it.
 */
export class WorkerLoop {
  readonly #concurrency: number;
  readonly #runNext: (onFound: () => void) => Promise<boolean>;
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  /**
   * `runNext` returns false if there was no work. It calls `onFound` as soon as it has found work, so
   * that another slot looks for work too.
   */
  constructor(concurrency: number, runNext: (onFound: () => void) => Promise<boolean>) {
    this.#concurrency = concurrency;
    this.#runNext = runNext;
  }

  /** Lets a free slot look for work. False if no slot is free. */
  wake(): boolean {
    if (this.#stopped || this.#running.size >= this.#concurrency) return false;
    const slot = this.#runAll().catch((err) => log.error({ err }, "claiming work failed"));
    const ended = slot.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return true;
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
    while (!this.#stopped && (await this.#runNext(() => this.wake())));
  }
}
