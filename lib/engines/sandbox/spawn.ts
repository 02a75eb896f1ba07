import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Readable } from "node:stream";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { isTracing } from "#lib/tracing/spans.ts";
import { type SandboxedCommand, type SandboxView, wrapInSandbox } from "./bubblewrap.ts";
import type { ControlGroup, ControlGroups } from "./cgroup.ts";
import { FirstProcess } from "./first-process.ts";
import { openFilter } from "./seccomp/open-filter.ts";
import { monitorUsage, type UsageLimits } from "./usage-monitor.ts";

/**
 * The only module that starts engine processes: in a sandbox, with limits, in one process group.
 */

/** How engines are isolated and limited on this machine. */
export interface Sandbox {
  readonly level: SandboxLevel;
  /** Whether RLIMIT_NPROC counts the processes of one sandbox only. */
  readonly countsProcessesPerSandbox: boolean;
  /** They limit memory and processes. If undefined, this process monitors the usage. */
  readonly groups: ControlGroups | undefined;
}

/** What an engine process may use. */
export interface ResourceLimits {
  /** Memory of all its processes together. */
  readonly memoryBytes: number;
  /**
   * Whether the address space is limited to `memoryBytes` too, so that allocations above it fail.
   * Not possible for Node, Chromium and other programs that reserve far more memory than they use.
   */
  readonly limitsAddressSpace: boolean;
  /** Processes and threads at the same time. */
  readonly processes: number;
  /** CPU time of each process, in seconds. */
  readonly cpuSeconds: number;
  /** The largest file that it may write. */
  readonly fileBytes: number;
  /** Files, pipes and sockets that each process may have open. */
  readonly openFiles: number;
}

export interface SpawnRequest extends SandboxedCommand, SandboxView {
  /**
   * Pipes in addition to stdin, stdout and stderr, from descriptor 3; they are in the child's
   * `stdio`.
   */
  readonly extraPipes?: number;
}

/** A running process with its descendants. */
export class RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #group: ControlGroup | undefined;
  readonly #first: FirstProcess | undefined;
  readonly #stopMonitoring: () => void;
  #outOfMemory = false;
  #peakMemoryBytes: number | undefined;
  #exited = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    group: ControlGroup | undefined,
    monitoredLimits: UsageLimits,
    first: FirstProcess | undefined,
  ) {
    this.child = child;
    this.#group = group;
    this.#first = first;
    this.#stopMonitoring = monitorUsage({
      pid: child.pid ?? 0,
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
    child.once("error", () => this.#cleanUp());
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

  /** Kills the process and its descendants. May be called repeatedly and after the exit. */
  kill(): void {
    if (!this.#exited) this.#group?.kill();
    killProcessGroup(this.child);
  }

  /**
   * Resolves when no process of the sandbox is left, after the child has emitted `close`. Without a
   * sandbox, processes that left the process group may remain.
   */
  async waitForEnd(): Promise<void> {
    await this.#first?.waitForEnd();
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
    killProcessGroup(this.child);
    this.#group?.kill();
    void this.#group?.remove();
  }
}

/**
 * A shell script that joins the groups whose files are given before `--`, then executes the rest.
 */
const joinScript =
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"';

/**
 * Starts `request` in `sandbox`. If the command is missing, the child emits `error` or exits with
 * 127.
 */
export function spawnProcess(
  sandbox: Sandbox,
  request: SpawnRequest,
  limits: ResourceLimits,
): RunningProcess {
  const controllers = sandbox.groups?.controllers;
  const group = sandbox.groups?.create(limits);
  const usesRlimit = !controllers?.has("pids") && sandbox.countsProcessesPerSandbox;
  const monitoredLimits = {
    memoryBytes: controllers?.has("memory") ? undefined : limits.memoryBytes,
    processes: controllers?.has("pids") || usesRlimit ? undefined : limits.processes,
  };
  const options = usesRlimit ? [`--nproc=${limits.processes}`] : [];
  const limited = process.platform === "linux" ? withPrlimit(request, limits, options) : request;
  const info = 3 + (request.extraPipes ?? 0);
  const isIsolated = sandbox.level !== "off";
  const filter = sandbox.level === "full" ? openFilter(request) : undefined;
  const inherited = filter === undefined ? [] : [filter];
  // In the child, the descriptors of bubblewrap follow the pipes of the request.
  const descriptors = { info, filter: filter === undefined ? undefined : info + 1 };
  try {
    const inner = isIsolated ? wrapInSandbox(limited, request, descriptors) : limited;
    const outer = group ? joinGroup(group, inner) : inner;
    const child = spawnChild(outer, request, isIsolated ? info + 1 : info, inherited);
    const report = isIsolated ? child.stdio[info] : undefined;
    const first = report instanceof Readable ? new FirstProcess(report) : undefined;
    return new RunningProcess(child, group, monitoredLimits, first);
  } catch (error) {
    void group?.remove();
    throw error;
  } finally {
    for (const descriptor of inherited) closeSync(descriptor);
  }
}

/** Starts `outer` with `pipes` pipes, followed by the descriptors `inherited`. */
function spawnChild(
  { command, args }: SandboxedCommand,
  request: SpawnRequest,
  pipes: number,
  inherited: readonly number[],
): ChildProcessWithoutNullStreams {
  const stdio: (number | "pipe")[] = Array.from({ length: pipes }, () => "pipe");
  stdio.push(...inherited);
  const child = spawn(command, args, {
    cwd: request.folder,
    detached: true,
    stdio,
    env: {
      NODE_ENV: "production",
      PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
      HOME: "/tmp",
      LANG: "C.UTF-8",
      ...request.variables,
    },
  });
  // The first three are always pipes, but the type of `spawn` with a longer `stdio` does not state
  // it.
  return child as ChildProcessWithoutNullStreams;
}

function joinGroup(
  { processFiles }: ControlGroup,
  { command, args }: SandboxedCommand,
): SandboxedCommand {
  return { command: "sh", args: ["-c", joinScript, "sh", ...processFiles, "--", command, ...args] };
}

function withPrlimit(
  { command, args }: SandboxedCommand,
  limits: ResourceLimits,
  extraOptions: readonly string[],
): SandboxedCommand {
  const options = [`--fsize=${limits.fileBytes}`, `--nofile=${limits.openFiles}`, "--core=0"];
  options.push(...extraOptions);
  if (Number.isFinite(limits.cpuSeconds)) options.push(`--cpu=${limits.cpuSeconds}`);
  if (limits.limitsAddressSpace) options.push(`--as=${limits.memoryBytes}`);
  return { command: "prlimit", args: [...options, "--", command, ...args] };
}

function killProcessGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group has already exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
