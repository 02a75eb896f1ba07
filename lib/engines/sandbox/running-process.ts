import { rm } from "node:fs/promises";
import { log } from "#lib/log.ts";
import { isTracing } from "#lib/tracing/spans.ts";
import type { FirstProcess } from "./bubblewrap/first-process.ts";
import type { ControlGroup } from "./cgroup.ts";
import type { ForkedProcess } from "./fork-server/forked-process.ts";
import { waitForGroupEnd } from "./strict/process-group.ts";
import { monitorUsage, type UsageLimits } from "./usage-monitor.ts";

/** How to find out that no process of a sandbox is left, and what is removed then. */
export interface SandboxEnd {
  /** The first process of the sandbox, at the level `full`. */
  readonly first?: FirstProcess | undefined;
  /** The process that keeps the sandbox of a zygote's copy. */
  readonly keeper?: ForkedProcess | undefined;
  /** The private folder of the process, at the level `strict`. */
  readonly scratch?: string | undefined;
}

/** A running process with its descendants. */
export class RunningProcess {
  readonly child: ForkedProcess;
  readonly #group: ControlGroup | undefined;
  readonly #end: SandboxEnd;
  #ended: Promise<void> | undefined;
  readonly #stopMonitoring: () => void;
  #outOfMemory = false;
  #peakMemoryBytes: number | undefined;
  #exited = false;

  constructor(
    child: ForkedProcess,
    group: ControlGroup | undefined,
    monitoredLimits: UsageLimits,
    end: SandboxEnd,
  ) {
    this.child = child;
    this.#group = group;
    this.#end = end;
    this.#stopMonitoring = monitorUsage({
      pid: child.pid,
      limits: monitoredLimits,
      ranOutOfMemory: () => group?.ranOutOfMemory() ?? false,
      onMeasured: (bytes) => {
        this.#peakMemoryBytes = Math.max(bytes, this.#peakMemoryBytes ?? 0);
      },
      onExceeded: (limit) => {
        this.#outOfMemory ||= limit === "memory";
        this.kill();
      },
    });
    child.once("exit", () => this.#cleanUp());
  }

  /** Whether it exceeded its memory limit. If so, it has been killed or is killed immediately. */
  get outOfMemory(): boolean {
    if (!this.#exited) this.#outOfMemory ||= this.#group?.ranOutOfMemory() ?? false;
    return this.#outOfMemory;
  }

  /**
   * The most memory of the process and its descendants since its start. Undefined if it was not
   * measured: without control groups, only what runs longer than a quarter of a second is.
   */
  get peakMemoryBytes(): number | undefined {
    if (!this.#exited) this.#readPeakMemory();
    return this.#peakMemoryBytes;
  }

  /**
   * Kills the process and its descendants. May be called repeatedly and after the exit, when they have been killed: their
   * ids may belong to others by then.
   */
  kill(): void {
    if (this.#exited) return;
    this.#group?.kill();
    this.#killProcesses();
  }

  /**
   * Resolves when no process of the sandbox is left, after the child has emitted `close`. Without a
   * sandbox, processes that left the process group may remain.
   */
  waitForEnd(): Promise<void> {
    this.#ended ??= this.#waitForEnd();
    return this.#ended;
  }

  #killProcesses(): void {
    killProcessGroup(this.child);
    if (this.#end.keeper) killProcessGroup(this.#end.keeper);
  }

  async #waitForEnd(): Promise<void> {
    const { first, scratch } = this.#end;
    await first?.waitForEnd();
    if (scratch === undefined) return;
    await waitForGroupEnd(this.child.pid);
    // Nothing that is left there can change any more, and the next start of a runner removes the rest.
    await rm(scratch, { recursive: true, force: true }).catch((err) => {
      log.warn({ err }, "temporary files of an engine not removed");
    });
  }

  #readPeakMemory(): void {
    this.#peakMemoryBytes = this.#group?.peakMemoryBytes() ?? this.#peakMemoryBytes;
  }

  #cleanUp(): void {
    if (this.#exited) return;
    this.#outOfMemory ||= this.#group?.ranOutOfMemory() ?? false;
    // The group is removed below. Only spans show it.
    if (isTracing()) this.#readPeakMemory();
    this.#exited = true;
    this.#stopMonitoring();
    this.#killProcesses();
    this.#group?.kill();
    void this.#group?.remove();
    // A caller that waits for it gets the error.
    this.waitForEnd().catch((err) => log.warn({ err }, "an engine did not end"));
  }
}

/** Kills a process and all of its process group. */
export function killProcessGroup({ pid }: ForkedProcess): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group has already exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
