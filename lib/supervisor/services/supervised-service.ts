import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { watchResponses } from "./watch-responses.ts";

/** A started process; `ready` resolves when it serves. */
export interface LaunchedService {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** The process answers pings after it is ready, and is killed when it no longer does. Default: false. */
  readonly answersPings?: boolean;
}

export interface ServicePlan {
  readonly name: string;
  /** Starts the process. Called again each time the process ends. */
  launch(): LaunchedService | Promise<LaunchedService>;
  /** The signal that stops the process. Default: SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** The file that contains the process id while the process runs. */
  readonly pidFile: string;
  report(level: "debug" | "info" | "warn" | "error", message: string): void;
  /** The delay before a restart after `failures` ends before readiness. Default: 1, 2, 4 … 30 s. */
  readonly backoffMs?: (failures: number) => number;
}

const defaultBackoffMs = (failures: number) => Math.min(1000 * 2 ** (failures - 1), 30_000);

/** Keeps one service running until it is stopped. */
export class SupervisedService {
  readonly #plan: ServicePlan;
  readonly #stopping = new AbortController();
  readonly #firstReady = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;

  constructor(plan: ServicePlan) {
    this.#plan = plan;
  }

  /** Resolves when the service is ready for the first time; never if it is stopped before that. */
  start(): Promise<void> {
    this.#running ??= this.#keepRunning();
    return this.#firstReady.promise;
  }

  /** Stops the process, which is then started again as after a crash. */
  restart(): void {
    this.#child?.kill(this.#plan.stopSignal ?? "SIGTERM");
  }

  /** Stops the process and resolves at its end. Kills its process group after `gracePeriodMs`. */
  async stop(gracePeriodMs: number): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill(this.#plan.stopSignal ?? "SIGTERM");
    const timer = setTimeout(() => {
      this.#plan.report("warn", `did not stop within ${gracePeriodMs / 1000} s, killing it`);
      killGroup(this.#child);
    }, gracePeriodMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #keepRunning(): Promise<void> {
    const { report, backoffMs = defaultBackoffMs } = this.#plan;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      const { wasReady, end } = await this.#runOnce();
      if (this.#stopping.signal.aborted) return;
      failures = wasReady ? 0 : failures + 1;
      const delayMs = wasReady ? 0 : backoffMs(failures);
      const restart = delayMs === 0 ? "restarting now" : `restarting in ${delayMs / 1000} s`;
      report(wasReady ? "warn" : "error", `ended (${end}), ${restart}`);
      // A stop aborts the delay.
      await wait(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  #watch(child: ChildProcess): () => void {
    return watchResponses(child, (seconds) => {
      this.#plan.report("error", `did not respond for ${seconds} s, killing it`);
      killGroup(child);
    });
  }

  async #runOnce(): Promise<{ wasReady: boolean; end: string }> {
    let wasReady = false;
    let stopWatching = () => {};
    try {
      const { child, ready, answersPings } = await this.#plan.launch();
      this.#child = child;
      const exit = once(child, "exit");
      if (this.#stopping.signal.aborted) child.kill(this.#plan.stopSignal ?? "SIGTERM");
      if (child.pid) writeFileSync(this.#plan.pidFile, `${child.pid}\n`);
      ready.then(
        () => {
          wasReady = true;
          this.#plan.report("debug", "is ready");
          this.#firstReady.resolve();
          if (answersPings && isRunning(child)) stopWatching = this.#watch(child);
        },
        (error: unknown) => this.#plan.report("error", String(error)),
      );
      const [code, signal] = await exit;
      return { wasReady, end: signal ?? `exit code ${code}` };
    } catch (error) {
      return { wasReady, end: error instanceof Error ? error.message : String(error) };
    } finally {
      stopWatching();
      // Also kills its remaining child processes.
      killGroup(this.#child);
      this.#child = undefined;
      rmSync(this.#plan.pidFile, { force: true });
    }
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Each service leads its own process group. */
function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // ESRCH: all processes of the group have ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
