import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Ends what an earlier start left running on the cluster, and removes the lock file, whose process id
 * may by now be another program's. Whoever calls holds the lock on the data folder, so nothing else
 * may be at work on it.
 */
export async function stopLeftovers(folder: string): Promise<void> {
  const lockFile = join(folder, "postmaster.pid");
  const server = existsSync(lockFile)
    ? Number(readFileSync(lockFile, "utf8").split("\n")[0])
    : undefined;
  if (server && findProcesses(folder).includes(server)) {
    send(server, "SIGINT");
    await waitUntilGone(folder, 10_000);
  }
  // Without their server, the processes of sessions only hold on to its shared memory.
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    for (const pid of findProcesses(folder)) send(pid, signal);
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

/** The PostgreSQL processes that work on the cluster: each has the cluster as its working directory. */
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
    return false; // It ended while we looked, or it is another user's.
  }
}

/** Without /proc: the process of the lock file, if it is PostgreSQL at all. */
function findServer(folder: string): number[] {
  const lockFile = join(folder, "postmaster.pid");
  if (!existsSync(lockFile)) return [];
  const pid = readFileSync(lockFile, "utf8").split("\n")[0] ?? "";
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", pid], { encoding: "utf8" });
  return stdout.includes("postgres") ? [Number(pid)] : [];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: it has ended in the meantime, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
