import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { filterOf } from "#lib/formats/seccomp/filter.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { type SandboxedCommand, type SandboxView, wrapInSandbox } from "./bubblewrap/arguments.ts";
import { FirstProcess } from "./bubblewrap/first-process.ts";
import { processPath } from "./folder/process-folder.ts";
import { forkServer } from "./fork-server/command-starter.ts";
import type { ForkedProcess } from "./fork-server/forked-process.ts";
import { programPath } from "./fork-server/server-program.ts";
import { clampLimits, type LimitName } from "./hard-limits.ts";
import type { SandboxEnd } from "./running-process.ts";
import { launchStrict } from "./strict/launcher.ts";
import { fontVariables } from "./view/fonts.ts";

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

/** Limits of resources by the names of prlimit(1), at most the hard limits. */
export type Bounds = Partial<Record<LimitName, number>>;

/** `limitsProcesses`: whether the kernel counts the processes of this sandbox only. */
export function limitsOf(limits: ResourceLimits, limitsProcesses: boolean): Bounds {
  return clampLimits({
    fsize: limits.fileBytes,
    nofile: limits.openFiles,
    core: 0,
    ...(limitsProcesses ? { nproc: limits.processes } : {}),
    ...(Number.isFinite(limits.cpuSeconds) ? { cpu: limits.cpuSeconds } : {}),
    ...(limits.limitsAddressSpace ? { as: limits.memoryBytes } : {}),
  });
}

/** The first descriptor of a child after its standard streams and those of `request`. */
export function firstDescriptor(request: SpawnRequest): number {
  return 3 + (request.extraPipes ?? 0);
}

/** A process that has been started, and how its sandbox ends. */
export interface Started {
  readonly child: ForkedProcess;
  readonly end: SandboxEnd;
}

/** Starts a command by the fork server. It joins `groups`, files of control groups, before it runs. */
export async function startCommand(
  level: SandboxLevel,
  request: SpawnRequest,
  bounds: Bounds,
  groups: readonly string[],
): Promise<Started> {
  const server = await forkServer();
  const isolation = { level, parent: server.pid };
  const { outer, filter, end, variables } = isolate(isolation, request, (command) =>
    process.platform === "linux" ? withPrlimit(command, bounds) : command,
  );
  try {
    const isReported = level === "full";
    const child = await server.start({
      ...outer,
      folder: request.folder,
      // In a sandbox of bubblewrap, the caches of fonts are at their default path.
      variables: {
        ...defaultVariables,
        ...(level === "full" ? {} : fontVariables()),
        ...variables,
      },
      sockets: firstDescriptor(request) + (isReported ? 1 : 0),
      filter,
      groups,
    });
    const report = isReported ? child.stdio.at(-1) : undefined;
    return { child, end: { ...end, first: report && new FirstProcess(report) } };
  } catch (error) {
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

function withPrlimit({ command, args }: SandboxedCommand, bounds: Bounds): SandboxedCommand {
  const options = Object.entries(bounds).map(([name, value]) => `--${name}=${value}`);
  return { command: "prlimit", args: [...options, "--", command, ...args] };
}
