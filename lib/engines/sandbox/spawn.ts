import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { log } from "#lib/log.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { isTracing } from "#lib/tracing/spans.ts";
import { type SandboxedCommand, type SandboxView, wrapInSandbox } from "./bubblewrap.ts";
import type { ControlGroup, ControlGroups } from "./cgroup.ts";
import { FirstProcess } from "./first-process.ts";
import { clampLimits } from "./hard-limits.ts";
import { processPath } from "./process-folder.ts";
import { openFilter } from "./seccomp/open-filter.ts";
import { launchStrict } from "./strict/launcher.ts";
import { waitForGroupEnd } from "./strict/process-group.ts";
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

/** How to find out that no process of a sandbox is left, and what is removed then. */
interface SandboxEnd {
  /** At the level `full`. */
  readonly first?: FirstProcess | undefined;
  /** At the level `strict`: the private folder of the process. */
  readonly scratch?: string | undefined;
}

/** A running process with its descendants. */
export class RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #group: ControlGroup | undefined;
  readonly #end: SandboxEnd;
  #ended: Promise<void> | undefined;
  readonly #stopMonitoring: () => void;
  #outOfMemory = false;
  #peakMemoryBytes: number | undefined;
  #exited = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    group: ControlGroup | undefined,
    monitoredLimits: UsageLimits,
    end: SandboxEnd,
  ) {
    this.child = child;
    this.#group = group;
    this.#end = end;
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
  waitForEnd(): Promise<void> {
    this.#ended ??= this.#waitForEnd();
    return this.#ended;
  }

  async #waitForEnd(): Promise<void> {
    const { first, scratch } = this.#end;
    await first?.waitForEnd();
    if (scratch === undefined) return;
    if (this.child.pid !== undefined) await waitForGroupEnd(this.child.pid);
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
    killProcessGroup(this.child);
    this.#group?.kill();
    void this.#group?.remove();
    // A caller that waits for it gets the error.
    this.waitForEnd().catch((err) => log.warn({ err }, "an engine did not end"));
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
  const { outer, inherited, end, variables } = isolate(sandbox.level, request, (command) =>
    process.platform === "linux" ? withPrlimit(command, limits, usesRlimit) : command,
  );
  try {
    const joined = group ? joinGroup(group, outer) : outer;
    const pipes = firstDescriptor(request) + (sandbox.level === "full" ? 1 : 0);
    const child = spawnChild(joined, { ...request, variables }, pipes, inherited);
    const report = sandbox.level === "full" ? child.stdio[pipes - 1] : undefined;
    const first = report instanceof Readable ? new FirstProcess(report) : undefined;
    return new RunningProcess(child, group, monitoredLimits, { ...end, first });
  } catch (error) {
    void group?.remove();
    throw error;
  } finally {
    for (const descriptor of inherited) closeSync(descriptor);
  }
}

/** The first descriptor of a child after its standard pipes and those of `request`. */
function firstDescriptor(request: SpawnRequest): number {
  return 3 + (request.extraPipes ?? 0);
}

interface IsolatedCommand {
  readonly outer: SandboxedCommand;
  /** Descriptors that the child inherits after its pipes. */
  readonly inherited: readonly number[];
  readonly variables: Readonly<Record<string, string>>;
  readonly end: SandboxEnd;
}

/** The command of `request` at `level`; `limit` adds the limits of its resources. */
function isolate(
  level: SandboxLevel,
  request: SpawnRequest,
  limit: (command: SandboxedCommand) => SandboxedCommand,
): IsolatedCommand {
  const next = firstDescriptor(request);
  if (level === "strict") {
    const scratch = processPath("scratch", randomBytes(6).toString("hex"));
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    const own = { PATH: "/usr/bin:/bin", HOME: scratch, TMPDIR: scratch };
    return {
      outer: launchStrict(limit(request), request, { filter: next, scratch }),
      inherited: [openFilter({ sharedSystem: request.connection?.family ?? "none" })],
      variables: { ...own, ...request.variables },
      end: { scratch },
    };
  }
  const [program, ...args] = request.connection?.relay ?? [];
  const relayed =
    program === undefined
      ? request
      : { command: program, args: [...args, request.command, ...request.args] };
  const limited = limit(relayed);
  const { variables = {} } = request;
  if (level === "off") return { outer: limited, inherited: [], variables, end: {} };
  // In the child, the descriptors of bubblewrap follow the pipes of the request.
  const outer = wrapInSandbox(limited, request, { info: next, filter: next + 1 });
  return { outer, inherited: [openFilter(request)], variables, end: {} };
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
  limitsProcesses: boolean,
): SandboxedCommand {
  const wanted = {
    fsize: limits.fileBytes,
    nofile: limits.openFiles,
    core: 0,
    ...(limitsProcesses ? { nproc: limits.processes } : {}),
    ...(Number.isFinite(limits.cpuSeconds) ? { cpu: limits.cpuSeconds } : {}),
    ...(limits.limitsAddressSpace ? { as: limits.memoryBytes } : {}),
  };
  const options = Object.entries(clampLimits(wanted)).map(([name, value]) => `--${name}=${value}`);
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
