import { PictureError } from "../plan/errors.ts";

/** Lets a few pictures be made at a time, with the accounts taking turns. */

interface Waiting {
  readonly start: () => void;
}

export class Turns {
  readonly #size: number;
  readonly #maxWaiting: number;
  #running = 0;
  #waitingCount = 0;
  /** The accounts in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** `size` at a time; `maxWaiting` of one account may wait. */
  constructor(size: number, maxWaiting: number) {
    this.#size = size;
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Runs `work` when it is the account's turn. Throws `PictureError` 429 if too much waits. */
  async run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#size) await this.#wait(accountId);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #wait(accountId: string): Promise<void> {
    const queue = this.#waiting.get(accountId) ?? [];
    if (queue.length >= this.#maxWaiting) {
      const message = "Too many pictures are being made. Try again in a few seconds.";
      throw new PictureError(429, message, { headers: { "Retry-After": "5" } });
    }
    this.#waiting.set(accountId, queue);
    this.#waitingCount++;
    return new Promise((start) => queue.push({ start }));
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running--;
      return;
    }
    const [accountId, queue] = next;
    this.#waiting.delete(accountId);
    const first = queue.shift();
    // The account goes to the end of the line.
    if (queue.length > 0) this.#waiting.set(accountId, queue);
    this.#waitingCount--;
    first?.start();
  }
}
