import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Processes of engines, as the machine sees them from outside of their sandboxes. */

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    return ""; // it has ended meanwhile
  }
}

/** Command lines that name `path`: its sandbox is told the folder that an engine works in. */
export function processesNaming(path: string): string[] {
  return [...commandsNaming(path).values()];
}

/**
 * Kills what this process has started and names `path`, as a system short of memory does; resolves once
 * there is something to kill. What others run is never touched, whatever it names.
 */
export async function killNaming(path: string): Promise<void> {
  const own = () => [...commandsNaming(path).keys()].filter(isDescendant);
  while (own().length === 0) await wait(10);
  for (const pid of own()) process.kill(pid, "SIGKILL");
}

function isDescendant(pid: number): boolean {
  for (let at = pid; at > 1; ) {
    // The second field is a name in brackets that may itself hold spaces and brackets.
    at = Number(readProc(`${at}/stat`).split(") ").at(-1)?.split(" ")[1] ?? 0);
    if (at === process.pid) return true;
  }
  return false;
}

/** Commands by the id of their process. */
function commandsNaming(path: string): ReadonlyMap<number, string> {
  if (process.platform !== "linux") return new Map();
  const commands = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .map((pid) => [pid, readProc(`${pid}/cmdline`).replaceAll("\0", " ")] as const);
  return new Map(commands.filter(([, command]) => command.includes(path)));
}

/** Resolves with the commands that still name `path` when those that were killed have had time to end. */
export async function lastingProcesses(path: string, timeoutMs = 10_000): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  let found = processesNaming(path);
  while (found.length > 0 && Date.now() < deadline) {
    await wait(20);
    found = processesNaming(path);
  }
  return found;
}

/** Bytes that the children of `pid` use of their own, all together: files that they map aside. */
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

/** Whichever thread has started them. */
function childrenOf(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
      readProc(`${pid}/task/${task}/children`),
    );
    return lists.join(" ").split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // it has ended meanwhile, or this is no Linux
  }
}

/** Runs `work`; the most that all engines together used meanwhile, in bytes, read every 50 ms. */
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
