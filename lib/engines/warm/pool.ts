import { engineRestarts } from "#lib/metrics.ts";

/** One warm engine process with the slot folder it was started on. */
export interface WarmWorker {
  readonly healthy: boolean;
  /** Makes it ready for the next job: its slot emptied. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

interface WarmPoolOptions<Worker extends WarmWorker> {
  /** Its name, for the metrics. */
  readonly engine: string;
  /** How many jobs are served at once; each by a process of its own. */
  readonly size: number;
  /** A process is replaced after this many jobs, so that leaks and left-overs end. */
  readonly maxUses: number;
  /** Starts the worker of slot `index`, 0 to `size` − 1. */
  readonly start: (index: number) => Promise<Worker>;
}

interface Slot<Worker> {
  readonly index: number;
  worker: Promise<Worker> | undefined;
  uses: number;
}

/**
 * Warm engine processes: each serves one job at a time and is replaced after `maxUses` jobs, or at
 * once after any doubt. Jobs beyond `size` wait in order.
 */
export class WarmPool<Worker extends WarmWorker> {
  readonly #options: WarmPoolOptions<Worker>;
  readonly #idle: Slot<Worker>[];
  readonly #waiting: ((slot: Slot<Worker>) => void)[] = [];

  constructor(options: WarmPoolOptions<Worker>) {
    this.#options = options;
    this.#idle = Array.from({ length: options.size }, (_, index) => ({
      index,
      worker: undefined,
      uses: 0,
    }));
  }

  /** Starts every worker ahead of need. Rejects if one does not start. */
  async warm(): Promise<void> {
    await Promise.all(this.#idle.map((slot) => this.#open(slot)));
  }

  /**
   * Runs `job` on a worker of its own. When `job` rejects, the worker is thrown away: whatever went
   * wrong in it cannot reach the next job. `keep` tells which errors are a plain answer and no doubt.
   */
  async use<Result>(
    job: (worker: Worker) => Promise<Result>,
    keep: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const slot =
      this.#idle.shift() ??
      (await new Promise<Slot<Worker>>((resolve) => this.#waiting.push(resolve)));
    try {
      const worker = await this.#open(slot);
      slot.uses++;
      try {
        return await job(worker);
      } catch (error) {
        if (!keep(error)) await this.#replace(slot, "doubt");
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

  async #open(slot: Slot<Worker>): Promise<Worker> {
    const present = await slot.worker?.catch(() => undefined);
    if (present?.healthy) return present;
    if (present) await this.#replace(slot, "doubt");
    slot.uses = 0;
    slot.worker = this.#options.start(slot.index);
    return slot.worker;
  }

  async #refresh(slot: Slot<Worker>): Promise<void> {
    const worker = await slot.worker;
    if (!worker) return;
    if (!worker.healthy || slot.uses >= this.#options.maxUses) {
      await this.#replace(slot, worker.healthy ? "worn" : "doubt");
      // The next job should find a warm one; if this start fails, that job's own attempt says why.
      this.#open(slot).catch(() => {});
      return;
    }
    await worker.reset().catch(() => this.#replace(slot, "doubt"));
  }

  /** Ends the slot's process; its next job, or the pool, starts another. */
  #replace(slot: Slot<Worker>, reason: "worn" | "doubt"): Promise<void> {
    engineRestarts.inc({ engine: this.#options.engine, reason });
    return this.#discard(slot);
  }

  async #discard(slot: Slot<Worker>): Promise<void> {
    const worker = slot.worker;
    slot.worker = undefined;
    await (await worker?.catch(() => undefined))?.close();
  }
}
