import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** How long services of a killed supervisor may take to end by themselves. */
const gracePeriodMs = 3000;

/**
 * Stops services that outlived a killed supervisor, so that their port and jobs are free. The process id
 * in a file may have been reused, so only services of this data folder are killed.
 */
export async function stopStaleServices(dataDir: string, names: readonly string[]): Promise<void> {
  const files = names.map((name) => join(dataDir, "run", `${name}.pid`)).filter(existsSync);
  const pids = files.map((file) => Number(readFileSync(file, "utf8")));
  const alive = () => pids.filter((pid) => pid > 1 && isServiceOf(pid, dataDir));
  const deadline = Date.now() + gracePeriodMs;
  while (alive().length > 0 && Date.now() < deadline) await wait(50);
  for (const pid of alive()) process.kill(-pid, "SIGKILL");
  while (alive().length > 0) await wait(20);
  for (const file of files) rmSync(file, { force: true });
}

function isServiceOf(pid: number, dataDir: string): boolean {
  const variables = readVariables(pid);
  return variables.includes("MEDIAMILL_SERVICE=") && variables.includes(`DATA_DIR=${dataDir}`);
}

/** The initial environment of a process. Empty if it has ended or belongs to another user. */
function readVariables(pid: number): string[] {
  try {
    if (process.platform === "linux") {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").map(withoutServiceName);
    }
    const { stdout } = spawnSync("ps", ["eww", "-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
    });
    return stdout.split(" ").map(withoutServiceName);
  } catch {
    return [];
  }
}

function withoutServiceName(variable: string): string {
  return variable.startsWith("MEDIAMILL_SERVICE=") ? "MEDIAMILL_SERVICE=" : variable.trimEnd();
}
