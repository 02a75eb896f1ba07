import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProcesses } from "#lib/supervisor/postgres/stale-processes.ts";
import { isAlive, waitUntil } from "../support/processes.ts";

/** Parts of a running service that tests kill. */
export const victims = ["media", "web", "postgres", "webhooks"] as const;
export type Victim = (typeof victims)[number];

/** The process id of a part; undefined while it has none. */
export function pidOf(dataDir: string, part: Victim): number | undefined {
  const file = join(dataDir, "run", `${part}.pid`);
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  return pid > 0 ? pid : undefined;
}

/** Kills a part as `kill -9` does; of the database, the server and every process of a session. */
export function killPart(dataDir: string, part: Victim): number {
  const pid = pidOf(dataDir, part);
  if (pid === undefined) throw new Error(`${part} does not run`);
  const others = part === "postgres" ? findProcesses(join(dataDir, "postgres")) : [];
  for (const one of new Set([pid, ...others])) {
    if (isAlive(one)) process.kill(one, "SIGKILL");
  }
  return pid;
}

/** Resolves once the supervisor has started the part anew. */
export async function isBack(dataDir: string, part: Victim, killed: number): Promise<void> {
  await waitUntil(() => {
    const pid = pidOf(dataDir, part);
    return pid !== undefined && pid !== killed && isAlive(pid);
  }, 30_000);
}
