import type { WarmProcess } from "./warm-process.ts";

/** Fresh processes of a pool, started before they are needed. */
export class Spares<Process extends WarmProcess> {
  readonly #start: () => Promise<Process>;
  readonly #count: number;
  #processes: Promise<Process>[] = [];
  #isClosed = false;

  /** The constructor takes how many are kept once `fill` has been called. */
  constructor(start: () => Promise<Process>, count: number) {
    this.#start = start;
    this.#count = count;
  }

  /** Starts the missing ones in the background. */
  fill(): void {
    while (!this.#isClosed && this.#processes.length < this.#count) {
      const process = this.#start();
      // `take` tries again, and its caller gets the error.
      process.catch(() => {});
      this.#processes.push(process);
    }
  }

  /** A process, which may still be starting; undefined if there is none. */
  take(): Promise<Process> | undefined {
    const process = this.#processes.shift();
    return process && this.#replaceUnhealthy(process);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  /** Stops all, until `fill` is called again. */
  async stop(): Promise<void> {
    const closing = this.#processes.map(async (process) =>
      (await process.catch(() => undefined))?.close(),
    );
    this.#processes = [];
    await Promise.all(closing);
  }

  /** It may have failed to start, or have ended since. */
  async #replaceUnhealthy(starting: Promise<Process>): Promise<Process> {
    const process = await starting.catch(() => undefined);
    if (process?.healthy) return process;
    await process?.close();
    return this.#start();
  }
}
