import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** A process that was started and says later that it is ready. */
export interface LaunchedPart {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
}

export interface PartPlan {
  readonly name: string;
  /** Starts the process; called again each time it has ended. */
  launch(): LaunchedPart | Promise<LaunchedPart>;
  /** What asks it to stop; SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** The file that holds its process id while it runs. */
  readonly pidFile: string;
  report(level: "debug" | "info" | "warn" | "error", message: string): void;
  /** Pauses before it is started again when it ended before it was ready; 1, 2, 4 … 30 s. */
  readonly backOffMs?: (failures: number) => number;
}

const defaultBackOffMs = (failures: number) => Math.min(1000 * 2 ** (failures - 1), 30_000);

/** Keeps one part running until it is stopped. */
export class SupervisedPart {
  readonly #plan: PartPlan;
  readonly #stopping = new AbortController();
  readonly #firstReady = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;

  constructor(plan: PartPlan) {
    this.#plan = plan;
  }

  /** Resolves when the part is ready for the first time; never, if it is stopped before. */
  start(): Promise<void> {
    this.#running ??= this.#keepRunning();
    return this.#firstReady.promise;
  }

  /** Ends the process, which is then started again, as after a crash. */
  restart(): void {
    this.#child?.kill(this.#plan.stopSignal ?? "SIGTERM");
  }

  /** Asks it to stop and resolves at its end; after `graceMs` it is killed with all that it started. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill(this.#plan.stopSignal ?? "SIGTERM");
    const timer = setTimeout(() => {
      this.#plan.report("warn", `did not stop within ${graceMs / 1000} s and is killed`);
      killGroup(this.#child);
    }, graceMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #keepRunning(): Promise<void> {
    const { report, backOffMs = defaultBackOffMs } = this.#plan;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      const { wasReady, end } = await this.#runOnce();
      if (this.#stopping.signal.aborted) return;
      failures = wasReady ? 0 : failures + 1;
      const pauseMs = wasReady ? 0 : backOffMs(failures);
      const again = pauseMs === 0 ? "at once" : `in ${pauseMs / 1000} s`;
      report(wasReady ? "warn" : "error", `ended (${end}) and is started again ${again}`);
      // Aborting the pause is how a stop gets through it.
      await wait(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  async #runOnce(): Promise<{ wasReady: boolean; end: string }> {
    let wasReady = false;
    try {
      const { child, ready } = await this.#plan.launch();
      this.#child = child;
      const exit = once(child, "exit");
      if (this.#stopping.signal.aborted) child.kill(this.#plan.stopSignal ?? "SIGTERM");
      if (child.pid) writeFileSync(this.#plan.pidFile, `${child.pid}\n`);
      ready.then(
        () => {
          wasReady = true;
          this.#plan.report("debug", "is ready");
          this.#firstReady.resolve();
        },
        (error: unknown) => this.#plan.report("error", String(error)),
      );
      const [code, signal] = await exit;
      return { wasReady, end: signal ?? `exit code ${code}` };
    } catch (error) {
      return { wasReady, end: error instanceof Error ? error.message : String(error) };
    } finally {
      // What it started and left behind goes with it.
      killGroup(this.#child);
      this.#child = undefined;
      rmSync(this.#plan.pidFile, { force: true });
    }
  }
}

/** Parts lead a process group of their own. */
function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // No such group: all of it has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
