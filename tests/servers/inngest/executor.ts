import { Run, type Turn } from "./run.ts";
import type { AppAnswer, AppCall, FunctionConfig, InngestEvent } from "./types.ts";

/** How calls reach the apps. */
export interface Transport {
  hasPlace(app: string): boolean;
  call(call: AppCall): Promise<AppAnswer>;
}

/** How long after a failed call the next one comes. */
const retryMs = 100;

/**
 * Starts runs of functions when their events come, as many at once as their limits allow, those with
 * a head start first, and calls their apps until they end.
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

  /** Takes an event; one whose id it has seen is dropped. */
  accept(event: InngestEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    for (const run of this.runs) if (run.isEndedBy(event)) run.cancel();
    for (const { app, config } of this.#functions.values()) {
      if (config.triggers.some((trigger) => trigger.event === event.name)) {
        this.#start(new Run(app, config, event));
      }
    }
  }

  /** Starts the function `id` as its clock would. */
  tick(id: string): Run {
    const found = this.#functions.get(id);
    if (!found?.config.triggers.some((trigger) => trigger.cron)) throw new Error(`${id}: no clock`);
    const event = { id: crypto.randomUUID(), name: "inngest/scheduled.timer", data: {} };
    const run = new Run(found.app, found.config, { ...event, ts: Date.now() });
    this.#start(run);
    return run;
  }

  /** Calls whoever may be called now. */
  pump(): void {
    const due = this.runs
      .filter((run) => run.next && run.status === "waiting" && run.event.ts <= Date.now())
      .sort((one, other) => one.score - other.score);
    for (const run of due) {
      if (!run.next || !this.#transport.hasPlace(run.app) || !this.#isWithinLimits(run)) continue;
      void this.#call(run, run.next);
    }
  }

  #start(run: Run): void {
    this.runs.push(run);
    setTimeout(() => this.pump(), Math.max(0, run.event.ts - Date.now()) + 1);
  }

  #isWithinLimits(run: Run): boolean {
    return run.limits.every(({ key, limit }) => (this.#busy.get(key) ?? 0) < limit);
  }

  #count(run: Run, change: 1 | -1): void {
    for (const { key } of run.limits) this.#busy.set(key, (this.#busy.get(key) ?? 0) + change);
  }

  async #call(run: Run, turn: Turn): Promise<void> {
    run.next = undefined;
    run.status = "running";
    run.attempts.push(turn.attempt);
    this.#count(run, 1);
    const answer = await this.#transport.call(run.callFor(turn)).catch((error: Error) => error);
    this.#count(run, -1);
    const again = run.take(turn, answer);
    if (!run.hasEnded) {
      if (again) await new Promise((resolve) => setTimeout(resolve, retryMs));
      run.status = "waiting";
    }
    this.pump();
  }
}
