/**
 * How long a job may wait for its source in total: a fixed time, and the time that the bytes received
 * so far need at a minimum rate. A source that uses it up is too slow for a job that occupies an engine.
 */
export class WaitAllowance {
  readonly #initialMs: number;
  readonly #bytesPerMs: number;
  readonly #onExceeded: () => void;
  #receivedBytes = 0;
  #waitedMs = 0;
  #waiting = 0;
  #waitingSince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { initialMs, bytesPerSecond }: { initialMs: number; bytesPerSecond: number },
    onExceeded: () => void,
  ) {
    this.#initialMs = initialMs;
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#onExceeded = onExceeded;
  }

  addBytes(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Counts the time until `work` has settled. Waits at the same time count once. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    if (this.#waiting++ === 0) {
      this.#waitingSince = performance.now();
      this.#check();
    }
    try {
      return await work;
    } finally {
      if (--this.#waiting === 0) {
        this.#waitedMs += performance.now() - this.#waitingSince;
        clearTimeout(this.#timer);
      }
    }
  }

  #check(): void {
    const waitedMs = this.#waitedMs + performance.now() - this.#waitingSince;
    const leftMs = this.#initialMs + this.#receivedBytes / this.#bytesPerMs - waitedMs;
    if (leftMs <= 0) this.#onExceeded();
    else this.#timer = setTimeout(() => this.#check(), Math.ceil(leftMs));
  }
}
