import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Engine processes, as seen from outside their sandboxes. */

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    return ""; // it has ended
  }
}

/** Command lines that contain `path`: a sandbox's command line contains its engine's folder. */
export function findCommands(path: string): string[] {
  return [...findProcesses(path).values()];
}

/**
 * Waits for child processes whose command lines contain `path`, and kills them as a system out of memory
 * does. Never kills processes that this process did not start.
 */
export async function killOwnProcesses(path: string): Promise<void> {
  const listDescendants = () => [...findProcesses(path).keys()].filter(isDescendant);
  while (listDescendants().length === 0) await wait(10);
  for (const pid of listDescendants()) process.kill(pid, "SIGKILL");
}

function isDescendant(pid: number): boolean {
  for (let at = pid; at > 1; ) {
    // The second field is a name in parentheses that may itself contain spaces and parentheses.
    at = Number(readProc(`${at}/stat`).split(") ").at(-1)?.split(" ")[1] ?? 0);
    if (at === process.pid) return true;
  }
  return false;
}

/** Command lines by process id. */
function findProcesses(path: string): ReadonlyMap<number, string> {
  if (process.platform !== "linux") return new Map();
  const commands = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .map((pid) => [pid, readProc(`${pid}/cmdline`).replaceAll("\0", " ")] as const);
  return new Map(commands.filter(([, command]) => command.includes(path)));
}

/** Waits up to `timeoutMs` for processes with `path` to end. Resolves with the remaining command lines. */
export async function findRemainingCommands(path: string, timeoutMs = 10_000): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  let found = findCommands(path);
  while (found.length > 0 && Date.now() < deadline) {
    await wait(20);
    found = findCommands(path);
  }
  return found;
}

/** Memory of all descendants of `pid`, in bytes, without mapped files. */
function childrenBytes(pid: number): number {
  let pages = 0;
  const pending = childrenOf(pid);
  for (let child = pending.pop(); child !== undefined; child = pending.pop()) {
    const [, resident = 0, shared = 0] = readProc(`${child}/statm`).split(" ").map(Number);
    pages += resident - shared;
    pending.push(...childrenOf(child));
  }
  return pages * 4096;
}

/** The child processes of all threads. */
function childrenOf(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
      readProc(`${pid}/task/${task}/children`),
    );
    return lists.join(" ").split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // it has ended, or this is not Linux
  }
}

/** Runs `work` and measures the peak memory of all engines together, in bytes, every 50 ms. */
export async function measurePeak<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; peakBytes: number }> {
  let peakBytes = childrenBytes(process.pid);
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, childrenBytes(process.pid));
  }, 50);
  try {
    return { result: await work(), peakBytes };
  } finally {
    clearInterval(timer);
  }
}
