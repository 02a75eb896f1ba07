import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { engineRestarts } from "#lib/metrics.ts";
import { timeStep } from "#lib/timings.ts";
import { reportEngineFailure } from "../sandbox/failures/engine-failures.ts";
import { withEngineSpan } from "../sandbox/failures/engine-span.ts";
import { type PoolSlot, suitability } from "./pool-slot.ts";
import { Spares } from "./spares.ts";
import { currentTenant, keepsEnginesWarm, mayServe, sharedTenant, type Tenant } from "./tenant.ts";
import type { WarmProcess } from "./warm-process.ts";

interface WarmPoolOptions<Process extends WarmProcess> {
  /** The engine's name in the metrics. */
  readonly engine: string;
  /** The number of jobs at a time, each with a process of its own. */
  readonly size: number;
  /** A process is replaced after this number of jobs, to limit memory leaks and stale state. */
  readonly maxUses: number;
  readonly start: () => Promise<Process>;
  /** How many processes stay when no job uses them, for engines that start slowly; 0 by default. */
  readonly keptIdle?: number;
  /** Whether its jobs are spans; true by default. */
  readonly isTraced?: boolean;
  /** Whether a process is replaced before it serves another tenant; true by default. */
  readonly isolatesTenants?: boolean;
}

/** Slots for each process that is started in advance. */
const slotsPerSpare = 4;

/** How often a pool looks for processes that have been idle for too long, as a share of that time. */
const idleChecks = 5;

/**
 * A pool of warm engine processes. Each serves one job at a time. A process is replaced after
 * `maxUses` jobs, at once if it may be unhealthy, and before it serves another tenant: for this, fresh
 * processes are started in advance once a tenant does not share. Jobs above the size of the pool wait
 * in order. A process that no job has used for `ENGINE_IDLE_SECONDS` is stopped, and its memory is free.
 */
export class WarmPool<Process extends WarmProcess> {
  readonly #options: WarmPoolOptions<Process>;
  readonly #idle: PoolSlot<Process>[];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  readonly #spares: Spares<Process>;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WarmPoolOptions<Process>) {
    const { size, start } = options;
    this.#options = options;
    const usedAt = Number.NEGATIVE_INFINITY;
    const empty = { process: undefined, uses: 0, tenant: undefined, usedAt };
    // As many again stay warm for accounts without a job now.
    const slots = env.ENGINE_ISOLATION === "account" ? 2 * size : size;
    this.#idle = Array.from({ length: slots }, () => ({ ...empty }));
    this.#spares = new Spares(start, Math.ceil(size / slotsPerSpare));
  }

  /** Processes that serve a job now. */
  get busy(): number {
    return this.#busy;
  }

  /** Starts a process for each job at a time before it is needed. Rejects if one does not start. */
  async warmUp(): Promise<void> {
    const slots = this.#idle.slice(0, this.#options.size);
    for (const slot of slots) slot.usedAt = performance.now();
    await Promise.all(slots.map((slot) => this.#open(slot, undefined)));
  }

  /**
   * Runs `job` with an exclusive process, for the current tenant. If `job` rejects, the process is
   * replaced, so that the failure cannot affect the next job. It is kept if `keepsHealthy` returns true
   * for the error.
   */
  async run<Result>(
    job: (process: Process) => Promise<Result>,
    keepsHealthy: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const { isolatesTenants = true } = this.#options;
    const tenant = isolatesTenants ? currentTenant() : sharedTenant;
    if (this.#busy < this.#options.size) this.#busy++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const slot = this.#takeIdle(tenant);
    try {
      const process = await timeStep("open engine", () => this.#open(slot, tenant));
      slot.tenant = tenant;
      slot.uses++;
      try {
        return await this.#runTraced(slot.uses, process, job);
      } catch (error) {
        if (!keepsHealthy(error)) await this.#replace(slot, "unhealthy");
        throw error;
      } finally {
        await this.#refresh(slot);
      }
    } finally {
      if (keepsEnginesWarm()) slot.usedAt = performance.now();
      this.#idle.unshift(slot);
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  }

  #runTraced<Result>(
    uses: number,
    process: Process,
    job: (process: Process) => Promise<Result>,
  ): Promise<Result> {
    const { engine, isTraced = true } = this.#options;
    if (!isTraced) return job(process);
    const attributes = { "mediamill.engine.warm": true, "mediamill.engine.uses": uses };
    return withEngineSpan(
      engine,
      attributes,
      () => job(process),
      () => process.peakMemoryBytes,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await Promise.all([...this.#idle.map((slot) => this.#discard(slot)), this.#spares.close()]);
  }

  /**
   * The idle slot that suits `tenant` best. If several do, the one that was used last, or before all
   * others if its process must be replaced.
   */
  #takeIdle(tenant: Tenant): PoolSlot<Process> {
    const ranks = this.#idle.map((slot) => suitability(slot, tenant));
    const best = Math.max(...ranks);
    const index = best === 0 ? ranks.lastIndexOf(best) : ranks.indexOf(best);
    const [slot] = this.#idle.splice(index, 1);
    if (!slot) throw new Error("more jobs than slots");
    return slot;
  }

  /** The process of the slot if it may serve `tenant`, else a fresh one. */
  async #open(slot: PoolSlot<Process>, tenant: Tenant | undefined): Promise<Process> {
    const current = await slot.process?.catch(() => undefined);
    const isAllowed = tenant === undefined || mayServe(slot.tenant, tenant);
    if (current?.healthy && isAllowed) return current;
    if (current) await this.#replace(slot, current.healthy ? "tenant" : "unhealthy");
    slot.uses = 0;
    slot.process = this.#spares.take() ?? this.#options.start();
    this.#checkIdleLater();
    slot.process.catch((error) => {
      // A job error says that the engine may not be used, not that it does not start.
      if (!(error instanceof JobError)) reportEngineFailure(this.#options.engine);
    });
    return slot.process;
  }

  #checkIdleLater(): void {
    const idleMs = env.ENGINE_IDLE_SECONDS * 1000;
    if (idleMs === 0 || this.#idleTimer || this.#isClosed) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.#stopIdle(performance.now() - idleMs);
    }, idleMs / idleChecks);
    this.#idleTimer.unref();
  }

  /** Stops the processes that no job has used since `before`, but for those that stay. */
  #stopIdle(before: number): void {
    const { keptIdle = 0 } = this.#options;
    const warm = this.#idle
      .filter(({ process }) => process)
      .sort((one, other) => other.usedAt - one.usedAt);
    for (const slot of warm.slice(keptIdle)) {
      if (slot.usedAt <= before) this.#replace(slot, "idle").catch(logFailedStop);
    }
    const mayStop = warm.slice(keptIdle).some(({ process }) => process);
    if (this.#busy > 0 || mayStop) this.#checkIdleLater();
    else this.#spares.stop().catch(logFailedStop);
  }

  async #refresh(slot: PoolSlot<Process>): Promise<void> {
    const process = await slot.process;
    // Not before the job has ended, because a start would slow it down.
    if (slot.tenant !== sharedTenant) this.#spares.fill();
    if (!process) return;
    if (!process.healthy || slot.uses >= this.#options.maxUses) {
      await this.#replace(slot, process.healthy ? "max_uses" : "unhealthy");
      // Starts the replacement in advance. If that fails, the next job tries again and gets the
      // error.
      this.#open(slot, undefined).catch(() => {});
      return;
    }
    await process.reset().catch(() => this.#replace(slot, "unhealthy"));
  }

  /** Stops the slot's process. The next job, or the pool, starts another. */
  #replace(
    slot: PoolSlot<Process>,
    reason: "idle" | "max_uses" | "unhealthy" | "tenant",
  ): Promise<void> {
    engineRestarts.inc({ engine: this.#options.engine, reason });
    return this.#discard(slot);
  }

  async #discard(slot: PoolSlot<Process>): Promise<void> {
    const { process } = slot;
    slot.process = undefined;
    slot.tenant = undefined;
    await (await process?.catch(() => undefined))?.close();
  }
}

function logFailedStop(err: unknown): void {
  log.warn({ err }, "an idle engine was not stopped completely");
}
