import type { SandboxLevel } from "#lib/sandbox-level.ts";
import type { ControlGroups } from "./cgroup.ts";
import { RunningProcess } from "./running-process.ts";
import { limitsOf, type ResourceLimits, type SpawnRequest, startCommand } from "./start-command.ts";
import { startCopy } from "./start-copy.ts";
import { zygoteOf } from "./zygote/zygotes.ts";

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
  const started = zygote
    ? startCopy(zygote, request, bounds, groups)
    : startCommand(sandbox.level, request, bounds, groups);
  try {
    const { child, end } = await started;
    return new RunningProcess(child, group, monitoredLimits, end);
  } catch (error) {
    void group?.remove();
    throw error;
  }
}
