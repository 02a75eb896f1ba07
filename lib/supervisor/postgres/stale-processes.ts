import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Stops stale PostgreSQL processes of an earlier start, and removes the lock file, because its process
 * id may have been reused. The caller must hold the lock on the data folder, so that no other start uses
 * the cluster.
 */
export async function stopStaleProcesses(folder: string): Promise<void> {
  const lockFile = join(folder, "postmaster.pid");
  const server = existsSync(lockFile)
    ? Number(readFileSync(lockFile, "utf8").split("\n")[0])
    : undefined;
  if (server && findProcesses(folder).includes(server)) {
    sendSignal(server, "SIGINT");
    await waitUntilGone(folder, 10_000);
  }
  // Session processes without a server do no work, but they keep its shared memory.
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    for (const pid of findProcesses(folder)) sendSignal(pid, signal);
    await waitUntilGone(folder, 2000);
  }
  rmSync(lockFile, { force: true });
}

async function waitUntilGone(folder: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (findProcesses(folder).length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The PostgreSQL processes of the cluster. Each has the cluster's folder as its working directory. */
export function findProcesses(folder: string): number[] {
  const path = realpathSync(folder);
  if (process.platform !== "linux") return findServer(path);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => worksIn(pid, path)).map(Number);
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres" &&
      readlinkSync(`/proc/${pid}/cwd`) === folder
    );
  } catch {
    return false; // It has ended, or it belongs to another user.
  }
}

/** Finds, without /proc, the process in the lock file if it is PostgreSQL. */
function findServer(folder: string): number[] {
  const lockFile = join(folder, "postmaster.pid");
  if (!existsSync(lockFile)) return [];
  const pid = readFileSync(lockFile, "utf8").split("\n")[0] ?? "";
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", pid], { encoding: "utf8" });
  return stdout.includes("postgres") ? [Number(pid)] : [];
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: it has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
