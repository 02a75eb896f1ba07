import { type NextCall, Run } from "./run.ts";
import type { AppCall, AppResponse, FunctionConfig, InngestEvent } from "./types.ts";

/** Sends calls to the apps. */
export interface Transport {
  /** Whether `app` accepts another call now. */
  hasSlot(app: string): boolean;
  call(call: AppCall): Promise<AppResponse>;
}

/** Delay before the retry of a failed call. */
const retryMs = 100;

/**
 * Starts runs of functions for events, within their concurrency limits and in the order of their
 * priority, and calls their apps until the runs end.
 */
export class Executor {
  readonly runs: Run[] = [];
  readonly #functions = new Map<string, { app: string; config: FunctionConfig }>();
  readonly #seen = new Set<string>();
  readonly #busy = new Map<string, number>();
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
    for (const run of this.runs) if (run.isCancelledBy(event)) run.cancel();
    for (const { app, config } of this.#functions.values()) {
      if (config.triggers.some((trigger) => trigger.event === event.name)) {
        this.#start(new Run(app, config, event));
      }
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
      .filter((run) => run.next && run.status === "waiting" && run.event.ts <= Date.now())
      .sort((one, other) => one.startScore - other.startScore);
    for (const run of due) {
      if (!run.next || !this.#transport.hasSlot(run.app) || !this.#isWithinLimits(run)) continue;
      void this.#call(run, run.next);
    }
  }

  #start(run: Run): void {
    this.runs.push(run);
    setTimeout(() => this.dispatch(), Math.max(0, run.event.ts - Date.now()) + 1);
  }

  #isWithinLimits(run: Run): boolean {
    return run.limits.every(({ key, limit }) => (this.#busy.get(key) ?? 0) < limit);
  }

  #count(run: Run, change: 1 | -1): void {
    for (const { key } of run.limits) this.#busy.set(key, (this.#busy.get(key) ?? 0) + change);
  }

  async #call(run: Run, call: NextCall): Promise<void> {
    run.next = undefined;
    run.status = "running";
    run.attempts.push(call.attempt);
    this.#count(run, 1);
    const response = await this.#transport.call(run.callFor(call)).catch((error: Error) => error);
    this.#count(run, -1);
    const shouldRetry = run.handleResponse(call, response);
    if (!run.hasEnded) {
      if (shouldRetry) await new Promise((resolve) => setTimeout(resolve, retryMs));
      run.status = "waiting";
    }
    this.dispatch();
  }
}
