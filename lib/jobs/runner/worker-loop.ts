import { log } from "#lib/log.ts";

/**
 * Does work in a number of places at once for as long as there is some. It is told that there may
 * be work, never which: `takeOne` finds that out, does it, and is false where there was none.
 */
export class Pump {
  readonly #places: number;
  readonly #takeOne: (taken: () => void) => Promise<boolean>;
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  /** `takeOne` calls `taken` as soon as it has found work, so that the next place may look too. */
  constructor(places: number, takeOne: (taken: () => void) => Promise<boolean>) {
    this.#places = places;
    this.#takeOne = takeOne;
  }

  /** There may be work: a free place looks for it. False where there is none. */
  wake(): boolean {
    if (this.#stopped || this.#running.size >= this.#places) return false;
    const place = this.#drain().catch((err) => log.error({ err }, "work could not be taken"));
    const ended = place.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return true;
  }

  /** Takes no more work. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no place is at work any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #drain(): Promise<void> {
    while (!this.#stopped && (await this.#takeOne(() => this.wake())));
  }
}
