import { log } from "#lib/log.ts";

/**
 * Reads from the database what is due, when something is due: at the time that the last read returned,
 * or earlier if `schedule` was called. Reads at least every `maxMs`, in case a notification was lost.
 */
export class DueTimer {
  readonly #read: () => Promise<number | null>;
  readonly #maxMs: number;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #isReading = false;
  #isStopped = false;

  /** `read` starts what is due and returns in how many seconds more is due; null: nothing is scheduled. */
  constructor(read: () => Promise<number | null>, maxMs: number) {
    this.#read = read;
    this.#maxMs = maxMs;
  }

  /** Reads after `delaySeconds`, unless an earlier read is scheduled. */
  schedule(delaySeconds: number): void {
    const delayMs = Math.min(delaySeconds * 1000, this.#maxMs);
    const dueAt = Date.now() + delayMs;
    if (this.#isStopped || dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    if (!this.#isReading) this.#timer = setTimeout(() => void this.#run(), delayMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const seconds = await this.#read().catch((err) => {
      log.warn({ err }, "reading due work failed; it is read again");
      return null;
    });
    this.#isReading = false;
    // Something may have been scheduled during the read.
    const scheduledSeconds = (this.#dueAt - Date.now()) / 1000;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.schedule(Math.max(0, Math.min(scheduledSeconds, seconds ?? Number.POSITIVE_INFINITY)));
  }
}
