import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { log } from "#lib/log.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { isTracing } from "#lib/tracing/spans.ts";
import { type SandboxedCommand, type SandboxView, wrapInSandbox } from "./bubblewrap.ts";
import type { ControlGroup, ControlGroups } from "./cgroup.ts";
import { FirstProcess } from "./first-process.ts";
import { processPath } from "./folder/process-folder.ts";
import { forkServer, programPath } from "./fork-server/fork-server.ts";
import type { ForkedProcess } from "./fork-server/forked-process.ts";
import { clampLimits } from "./hard-limits.ts";
import { filterOf } from "./seccomp/filter.ts";
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
   * Connections in addition to stdin, stdout and stderr, from descriptor 3; they are in the child's
   * `stdio`.
   */
  readonly extraPipes?: number;
}

/** How to find out that no process of a sandbox is left, and what is removed then. */
interface SandboxEnd {
  /** The first process of the sandbox, at the level `full`. */
  readonly first?: FirstProcess | undefined;
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
    killProcessGroup(this.child);
    this.#group?.kill();
    void this.#group?.remove();
    // A caller that waits for it gets the error.
    this.waitForEnd().catch((err) => log.warn({ err }, "an engine did not end"));
  }
}

/**
 * Starts `request` in `sandbox`. If the command is missing, the child exits with 127. Rejects if the
 * fork server cannot start it.
 */
export async function spawnProcess(
  sandbox: Sandbox,
  request: SpawnRequest,
  limits: ResourceLimits,
): Promise<RunningProcess> {
  const server = await forkServer();
  const controllers = sandbox.groups?.controllers;
  const usesRlimit = !controllers?.has("pids") && sandbox.countsProcessesPerSandbox;
  const monitoredLimits = {
    memoryBytes: controllers?.has("memory") ? undefined : limits.memoryBytes,
    processes: controllers?.has("pids") || usesRlimit ? undefined : limits.processes,
  };
  const isolation = { level: sandbox.level, parent: server.pid };
  const { outer, filter, end, variables } = isolate(isolation, request, (command) =>
    process.platform === "linux" ? withPrlimit(command, limits, usesRlimit) : command,
  );
  const group = sandbox.groups?.create(limits);
  try {
    const isReported = sandbox.level === "full";
    const child = await server.start({
      ...outer,
      folder: request.folder,
      variables: { ...defaultVariables, ...variables },
      sockets: firstDescriptor(request) + (isReported ? 1 : 0),
      filter,
      groups: group?.processFiles ?? [],
    });
    const report = isReported ? child.stdio.at(-1) : undefined;
    const first = report && new FirstProcess(report);
    return new RunningProcess(child, group, monitoredLimits, { ...end, first });
  } catch (error) {
    void group?.remove();
    if (end.scratch !== undefined) await rm(end.scratch, { recursive: true, force: true });
    throw error;
  }
}

const defaultVariables = {
  NODE_ENV: "production",
  PATH: programPath,
  HOME: "/tmp",
  LANG: "C.UTF-8",
};

/** The first descriptor of a child after its standard streams and those of `request`. */
function firstDescriptor(request: SpawnRequest): number {
  return 3 + (request.extraPipes ?? 0);
}

interface IsolatedCommand {
  readonly outer: SandboxedCommand;
  /** The filter of system calls, which `outer` reads from the descriptor after its connections. */
  readonly filter?: Buffer;
  readonly variables: Readonly<Record<string, string>>;
  readonly end: SandboxEnd;
}

interface Isolation {
  readonly level: SandboxLevel;
  /** The id of the process that starts the command. */
  readonly parent: number;
}

/** The command of `request`, isolated; `limit` adds the limits of its resources. */
function isolate(
  { level, parent }: Isolation,
  request: SpawnRequest,
  limit: (command: SandboxedCommand) => SandboxedCommand,
): IsolatedCommand {
  const next = firstDescriptor(request);
  if (level === "strict") {
    const scratch = processPath("scratch", randomBytes(6).toString("hex"));
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    const own = { PATH: "/usr/bin:/bin", HOME: scratch, TMPDIR: scratch };
    return {
      outer: launchStrict(limit(request), request, { filter: next, scratch, parent }),
      filter: filterOf({ sharedSystem: request.connection?.family ?? "none" }),
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
  if (level === "off") return { outer: limited, variables, end: {} };
  // In the child, the descriptors of bubblewrap follow the connections of the request.
  const outer = wrapInSandbox(limited, request, { info: next, filter: next + 1 });
  return { outer, filter: filterOf(request), variables, end: {} };
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

function killProcessGroup({ pid }: ForkedProcess): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group has already exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
