import { log } from "#lib/log.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import type { ControlGroups } from "./cgroup.ts";
import { NotStartedError } from "./fork-server/fork-server.ts";
import { RunningProcess } from "./running-process.ts";
import {
  limitsOf,
  type ResourceLimits,
  type SpawnRequest,
  type Started,
  startCommand,
} from "./start-command.ts";
import { startCopy } from "./start-copy.ts";
import { startFull } from "./start-prepared.ts";
import { pauseZygote, zygoteOf } from "./zygote/zygotes.ts";

export type { ResourceLimits, RunningProcess, SpawnRequest };

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
  /** Whether sandboxes at the level `full` are copies of templates where that is possible. */
  readonly prepares?: boolean;
  /** The programs of which each run is a copy of a zygote, if there is one. */
  readonly zygotePrograms?: ReadonlySet<string>;
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
  const zygote = await zygoteOf(sandbox, request.command);
  const controllers = sandbox.groups?.controllers;
  const usesRlimit = !controllers?.has("pids") && sandbox.countsProcessesPerSandbox;
  const monitoredLimits = {
    memoryBytes: controllers?.has("memory") ? undefined : limits.memoryBytes,
    processes: controllers?.has("pids") || usesRlimit ? undefined : limits.processes,
  };
  const bounds = limitsOf(limits, usesRlimit);
  const group = sandbox.groups?.create(limits);
  const groups = group?.processFiles ?? [];
  const { level, prepares = false } = sandbox;
  const start = async () => {
    const copied = zygote && (await tryCopy({ zygote, prepares }, request, bounds, groups));
    if (copied) return copied;
    if (level === "full") return startFull(prepares, request, bounds, groups);
    return startCommand(level, request, bounds, groups);
  };
  try {
    const { child, end } = await start();
    return new RunningProcess(child, group, monitoredLimits, end);
  } catch (error) {
    // What has been started of it, if anything, is known only to a process that has ended.
    group?.kill();
    void group?.remove();
    throw error;
  }
}

/** Starts a copy of a zygote; undefined if the zygote cannot make one, so that the program is executed. */
async function tryCopy(...args: Parameters<typeof startCopy>): Promise<Started | undefined> {
  try {
    return await startCopy(...args);
  } catch (err) {
    if (!(err instanceof NotStartedError)) throw err;
    const { command } = args[1];
    log.warn({ err, command }, "a program could not be copied; it is executed for a minute");
    pauseZygote(command);
    return undefined;
  }
}
