import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type SandboxedCommand, type SandboxView, wrap } from "./bubblewrap.ts";
import type { ControlGroup, ControlGroups } from "./cgroup.ts";
import { watchUsage } from "./usage-watch.ts";

/** The only place that starts a process: sandbox, limits, a group of its own, and all of it killed at the end. */

/** How engines are kept apart and held to their limits on this machine. */
export interface Sandbox {
  /** Whether each runs in bubblewrap; else as a plain child process. */
  readonly isolated: boolean;
  /** Whether a limit on a user's processes counts those of one sandbox alone. */
  readonly countsOwnProcesses: boolean;
  /** What limits memory and processes; without, this process watches them. */
  readonly groups: ControlGroups | undefined;
}

/** What an engine process may use. */
export interface UseLimits {
  /** Of all its processes together. */
  readonly memoryBytes: number;
  /**
   * Whether its address space may be limited to `memoryBytes` as well, which it then meets as an
   * allocation that fails. Not for Node, Chromium and others that reserve far more than they use.
   */
  readonly limitsAddressSpace: boolean;
  /** Processes and threads at once. */
  readonly processes: number;
  /** CPU time of each process, seconds. */
  readonly cpuSeconds: number;
  /** The largest file it may write. */
  readonly fileBytes: number;
  /** Files, pipes and sockets that each process may have open. */
  readonly openFiles: number;
}

export interface SpawnRequest extends SandboxedCommand, SandboxView {
  /** Pipes beside stdin, stdout and stderr, from descriptor 3 up; they are in the child's `stdio`. */
  readonly extraPipes?: number;
}

/** A process that was started, with all that it starts. */
export class RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #group: ControlGroup | undefined;
  readonly #stopWatching: () => void;
  #outOfMemory = false;
  #ended = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    group: ControlGroup | undefined,
    watched: { readonly memoryBytes?: number | undefined; readonly processes?: number | undefined },
  ) {
    this.child = child;
    this.#group = group;
    this.#stopWatching = watchUsage({
      pid: child.pid ?? 0,
      limits: watched,
      ranOutOfMemory: () => group?.ranOutOfMemory() ?? false,
      onExceeded: (what) => {
        this.#outOfMemory ||= what === "memory";
        this.kill();
      },
    });
    child.once("exit", () => this.#end());
    child.once("error", () => this.#end());
  }

  /** Whether it used more memory than it may; then it has been killed, or will be at once. */
  get outOfMemory(): boolean {
    if (!this.#ended) this.#outOfMemory ||= this.#group?.ranOutOfMemory() ?? false;
    return this.#outOfMemory;
  }

  /** Kills the process and everything it started. Safe to call again, and after its end. */
  kill(): void {
    if (!this.#ended) this.#group?.kill();
    killGroup(this.child);
  }

  #end(): void {
    if (this.#ended) return;
    this.#outOfMemory ||= this.#group?.ranOutOfMemory() ?? false;
    this.#ended = true;
    this.#stopWatching();
    killGroup(this.child);
    this.#group?.kill();
    void this.#group?.remove();
  }
}

/** Writes this shell's process into each group before `--`, then becomes what comes after it. */
const joinScript =
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"';

/** Starts `request` in `sandbox`. A command that is missing is told by the child's `error`, or by exit code 127. */
export function spawnProcess(
  sandbox: Sandbox,
  request: SpawnRequest,
  limits: UseLimits,
): RunningProcess {
  const controlled = sandbox.groups?.controllers;
  const group = sandbox.groups?.create(limits);
  const countsByUser = !controlled?.has("pids") && sandbox.countsOwnProcesses;
  const watched = {
    memoryBytes: controlled?.has("memory") ? undefined : limits.memoryBytes,
    processes: controlled?.has("pids") || countsByUser ? undefined : limits.processes,
  };
  const options = countsByUser ? [`--nproc=${limits.processes}`] : [];
  const limited = process.platform === "linux" ? prlimit(request, limits, options) : request;
  const inner = sandbox.isolated ? wrap(limited, request) : limited;
  const { command, args } = group ? joining(group, inner) : inner;
  const extra = Array.from({ length: request.extraPipes ?? 0 }, () => "pipe" as const);
  const child = spawn(command, args, {
    cwd: request.folder,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", ...extra],
    env: {
      NODE_ENV: "production",
      PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
      HOME: "/tmp",
      LANG: "C.UTF-8",
      ...request.variables,
    },
  });
  // The first three are always pipes; the type of a longer `stdio` no longer says so.
  return new RunningProcess(child as ChildProcessWithoutNullStreams, group, watched);
}

function joining({ joins }: ControlGroup, { command, args }: SandboxedCommand): SandboxedCommand {
  return { command: "sh", args: ["-c", joinScript, "sh", ...joins, "--", command, ...args] };
}

function prlimit(
  { command, args }: SandboxedCommand,
  limits: UseLimits,
  further: readonly string[],
): SandboxedCommand {
  const options = [`--fsize=${limits.fileBytes}`, `--nofile=${limits.openFiles}`, "--core=0"];
  options.push(...further);
  if (Number.isFinite(limits.cpuSeconds)) options.push(`--cpu=${limits.cpuSeconds}`);
  if (limits.limitsAddressSpace) options.push(`--as=${limits.memoryBytes}`);
  return { command: "prlimit", args: [...options, "--", command, ...args] };
}

function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // No such group: it has ended already, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
