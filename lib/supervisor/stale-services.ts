import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** How long a part whose supervisor was killed gets to end by itself. */
const patienceMs = 3000;

/**
 * Ends the parts that a killed supervisor left, so that the port and the jobs are free. A process id
 * in a file may be another program's by now: only one that works for this data folder is touched.
 */
export async function stopLeftoverParts(dataDir: string, names: readonly string[]): Promise<void> {
  const files = names.map((name) => join(dataDir, "run", `${name}.pid`)).filter(existsSync);
  const pids = files.map((file) => Number(readFileSync(file, "utf8")));
  const alive = () => pids.filter((pid) => pid > 1 && isPartOf(pid, dataDir));
  const deadline = Date.now() + patienceMs;
  while (alive().length > 0 && Date.now() < deadline) await wait(50);
  for (const pid of alive()) process.kill(-pid, "SIGKILL");
  while (alive().length > 0) await wait(20);
  for (const file of files) rmSync(file, { force: true });
}

function isPartOf(pid: number, dataDir: string): boolean {
  const variables = readVariables(pid);
  return variables.includes("MEDIAMILL_PART=") && variables.includes(`DATA_DIR=${dataDir}`);
}

/** The environment a process was started with; empty where it is gone or another user's. */
function readVariables(pid: number): string[] {
  try {
    if (process.platform === "linux") {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").map(withoutPartName);
    }
    const { stdout } = spawnSync("ps", ["eww", "-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
    });
    return stdout.split(" ").map(withoutPartName);
  } catch {
    return [];
  }
}

function withoutPartName(variable: string): string {
  return variable.startsWith("MEDIAMILL_PART=") ? "MEDIAMILL_PART=" : variable.trimEnd();
}
