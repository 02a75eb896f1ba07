import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProcesses } from "#lib/supervisor/postgres/stale-processes.ts";
import { isAlive, waitUntil } from "../support/processes.ts";

/** Services of a running installation that tests kill. */
export const targets = ["media", "web", "postgres", "webhooks"] as const;
export type Target = (typeof targets)[number];

/** The process id of a service; undefined while it has none. */
export function readPid(dataDir: string, service: Target): number | undefined {
  // The supervisor may remove the file at any time, and a file that is being written is empty.
  try {
    const pid = Number(readFileSync(join(dataDir, "run", `${service}.pid`), "utf8"));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Kills a service as `kill -9` does. For `postgres`: the server and the process of every session. */
export function killService(dataDir: string, service: Target): number {
  const pid = readPid(dataDir, service);
  if (pid === undefined) throw new Error(`${service} is not running`);
  const others = service === "postgres" ? findProcesses(join(dataDir, "postgres")) : [];
  for (const one of new Set([pid, ...others])) {
    if (isAlive(one)) process.kill(one, "SIGKILL");
  }
  return pid;
}

/** Resolves with the process id of the service once the supervisor has killed that process. */
export async function waitForKill(dataDir: string, service: Target): Promise<number> {
  const pid = readPid(dataDir, service);
  if (pid === undefined) throw new Error(`${service} is not running`);
  await waitUntil(() => !isAlive(pid), 30_000);
  return pid;
}

/** Resolves once the supervisor has restarted the service. */
export async function waitForRestart(
  dataDir: string,
  service: Target,
  killed: number,
): Promise<void> {
  await waitUntil(() => {
    const pid = readPid(dataDir, service);
    return pid !== undefined && pid !== killed && isAlive(pid);
  }, 30_000);
}
