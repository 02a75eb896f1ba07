import { engineRestarts } from "#lib/metrics.ts";
import { timeStep } from "#lib/timings.ts";

/** A warm engine process with its slot folder. */
export interface WarmProcess {
  readonly healthy: boolean;
  /** Prepares it for the next job, for example empties its slot folder. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

interface WarmPoolOptions<Process extends WarmProcess> {
  /** The engine's name in the metrics. */
  readonly engine: string;
  /** The number of processes, each of which serves one job at a time. */
  readonly size: number;
  /** A process is replaced after this number of jobs, to limit memory leaks and stale state. */
  readonly maxUses: number;
  readonly start: () => Promise<Process>;
}

interface PoolSlot<Process> {
  process: Promise<Process> | undefined;
  uses: number;
}

/**
 * A pool of warm engine processes. Each serves one job at a time. A process is replaced after
 * `maxUses` jobs, or at once if it may be unhealthy. Jobs above the size of the pool wait in order.
 */
export class WarmPool<Process extends WarmProcess> {
  readonly #options: WarmPoolOptions<Process>;
  readonly #idle: PoolSlot<Process>[];
  readonly #waiting: ((slot: PoolSlot<Process>) => void)[] = [];

  constructor(options: WarmPoolOptions<Process>) {
    this.#options = options;
    this.#idle = Array.from({ length: options.size }, () => ({ process: undefined, uses: 0 }));
  }

  /** Processes that serve a job now. */
  get busy(): number {
    return this.#options.size - this.#idle.length;
  }

  /** Starts every process before it is needed. Rejects if one does not start. */
  async warmUp(): Promise<void> {
    await Promise.all(this.#idle.map((slot) => this.#open(slot)));
  }

  /**
   * Runs `job` with an exclusive process. If `job` rejects, the process is replaced, so that the
   * failure cannot affect the next job. It is kept if `keepsHealthy` returns true for the error.
   */
  async run<Result>(
    job: (process: Process) => Promise<Result>,
    keepsHealthy: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const slot =
      this.#idle.shift() ??
      (await new Promise<PoolSlot<Process>>((resolve) => this.#waiting.push(resolve)));
    try {
      const process = await timeStep("open engine", () => this.#open(slot));
      slot.uses++;
      try {
        return await job(process);
      } catch (error) {
        if (!keepsHealthy(error)) await this.#replace(slot, "unhealthy");
        throw error;
      } finally {
        await this.#refresh(slot);
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next(slot);
      else this.#idle.unshift(slot);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map((slot) => this.#discard(slot)));
  }

  async #open(slot: PoolSlot<Process>): Promise<Process> {
    const current = await slot.process?.catch(() => undefined);
    if (current?.healthy) return current;
    if (current) await this.#replace(slot, "unhealthy");
    slot.uses = 0;
    slot.process = this.#options.start();
    return slot.process;
  }

  async #refresh(slot: PoolSlot<Process>): Promise<void> {
    const process = await slot.process;
    if (!process) return;
    if (!process.healthy || slot.uses >= this.#options.maxUses) {
      await this.#replace(slot, process.healthy ? "max_uses" : "unhealthy");
      // Starts the replacement in advance. If that fails, the next job tries again and gets the
      // error.
      this.#open(slot).catch(() => {});
      return;
    }
    await process.reset().catch(() => this.#replace(slot, "unhealthy"));
  }

  /** Stops the slot's process. The next job, or the pool, starts another. */
  #replace(slot: PoolSlot<Process>, reason: "max_uses" | "unhealthy"): Promise<void> {
    engineRestarts.inc({ engine: this.#options.engine, reason });
    return this.#discard(slot);
  }

  async #discard(slot: PoolSlot<Process>): Promise<void> {
    const { process } = slot;
    slot.process = undefined;
    await (await process?.catch(() => undefined))?.close();
  }
}
