import { type NextCall, Run } from "./run.ts";
import type { AppCall, AppResponse, FunctionConfig, InngestEvent } from "./types.ts";

/** Sends calls to the apps. */
export interface Transport {
  /** Whether a worker of `app` accepts another call now. */
  hasSlot(app: string): boolean;
  /** Calls that all workers of `app` accept at once. */
  capacityOf(app: string): number;
  call(call: AppCall): Promise<AppResponse>;
}

/** Delay before the retry of a failed call. */
const retryMs = 100;

/**
 * Starts runs of functions for events, within their concurrency limits and in the order of their
 * priority, and calls their apps until the runs end.
 *
 * Like Inngest, it counts the calls of an app against the slots of its connected workers. A worker that
 * disconnects takes its slots with it at once, but its calls count until their leases end or their runs
 * are cancelled. Then the slots of the other workers are in use, although those are idle. A step that an
 * app reports together with the end of its run keeps a slot for 30 seconds.
 */
export class Executor {
  readonly runs: Run[] = [];
  /** How long an event takes to its functions: 0 in tests, about 150 ms in the real server. */
  eventDelayMs = 0;
  /** How long a queue item keeps its slot that cannot be handled because its run is gone. */
  itemLeaseMs = 30_000;
  /** The number of such items so far. */
  lateItems = 0;
  readonly #functions = new Map<string, { app: string; config: FunctionConfig }>();
  readonly #seen = new Set<string>();
  readonly #busy = new Map<string, number>();
  /** The runs with a call that counts. */
  readonly #calling = new Set<Run>();
  /** The late items that still have a slot, by app. */
  readonly #late = new Map<string, number>();
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  register(app: string, functions: readonly FunctionConfig[]): void {
    for (const config of functions) this.#functions.set(config.id, { app, config });
  }

  functionOf(id: string): FunctionConfig | undefined {
    return this.#functions.get(id)?.config;
  }

  /** Runs of the function `id` for events whose data has `jobId` or `deliveryId`. */
  runsOf(id: string, subject?: string): Run[] {
    return this.runs.filter(
      ({ config, event }) =>
        config.id === id && (subject === undefined || Object.values(event.data).includes(subject)),
    );
  }

  /** Accepts an event; an event with a known id is dropped. */
  accept(event: InngestEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    for (const run of this.runs) {
      if (run.hasEnded || !run.isCancelledBy(event)) continue;
      run.cancel();
      this.#release(run);
    }
    this.dispatch();
    for (const { app, config } of this.#functions.values()) {
      if (config.triggers.some((trigger) => trigger.event === event.name)) {
        this.#start(new Run(app, config, event));
      }
    }
  }

  /** Cancels the runs that have not ended, such as those of messages that no worker has taken. */
  cancelRuns(): void {
    for (const run of this.runs.filter(({ hasEnded }) => !hasEnded)) {
      run.cancel();
      this.#release(run);
    }
  }

  /** Starts the scheduled function `id` now. */
  runScheduled(id: string): Run {
    const found = this.#functions.get(id);
    if (!found?.config.triggers.some((trigger) => trigger.cron))
      throw new Error(`${id} is not scheduled`);
    const event = { id: crypto.randomUUID(), name: "inngest/scheduled.timer", data: {} };
    const run = new Run(found.app, found.config, { ...event, ts: Date.now() });
    this.#start(run);
    return run;
  }

  /** Sends all calls that are due and within limits. */
  dispatch(): void {
    const due = this.runs
      .filter((run) => run.next && run.status === "waiting" && run.dueAt <= Date.now())
      .sort((one, other) => one.startScore - other.startScore);
    for (const run of due) {
      if (!run.next || !this.#hasSlot(run.app) || !this.#isWithinLimits(run)) continue;
      void this.#call(run, run.next);
    }
  }

  #start(run: Run): void {
    this.runs.push(run);
    run.dueAt = Math.max(run.event.ts, Date.now() + this.eventDelayMs);
    setTimeout(() => this.dispatch(), Math.max(0, run.dueAt - Date.now()) + 1);
  }

  /** Calls of `app` that count against its slots. */
  callsOf(app: string): number {
    const late = this.#late.get(app) ?? 0;
    return late + [...this.#calling].filter((run) => run.app === app).length;
  }

  #hasSlot(app: string): boolean {
    const { hasSlot, capacityOf } = this.#transport;
    return hasSlot(app) && this.callsOf(app) < capacityOf(app);
  }

  #isWithinLimits(run: Run): boolean {
    return run.limits.every(({ key, limit }) => (this.#busy.get(key) ?? 0) < limit);
  }

  #release(run: Run): void {
    if (this.#calling.delete(run)) this.#count(run, -1);
  }

  #count(run: Run, change: 1 | -1): void {
    for (const { key } of run.limits) this.#busy.set(key, (this.#busy.get(key) ?? 0) + change);
  }

  async #call(run: Run, call: NextCall): Promise<void> {
    run.next = undefined;
    run.status = "running";
    run.attempts.push(call.attempt);
    this.#calling.add(run);
    this.#count(run, 1);
    const response = await this.#transport.call(run.callFor(call)).catch((error: Error) => error);
    this.#release(run);
    const shouldRetry = run.handleResponse(call, response);
    this.#keepSlots(run);
    if (!run.hasEnded) {
      if (shouldRetry) await new Promise((resolve) => setTimeout(resolve, retryMs));
      run.status = "waiting";
    }
    this.dispatch();
  }

  /** Keeps a slot for each late item of a run. */
  #keepSlots({ app, lateItems }: Run): void {
    if (lateItems === 0) return;
    this.lateItems += lateItems;
    this.#late.set(app, (this.#late.get(app) ?? 0) + lateItems);
    const free = () => {
      this.#late.set(app, (this.#late.get(app) ?? 0) - lateItems);
      this.dispatch();
    };
    setTimeout(free, this.itemLeaseMs).unref();
  }
}
