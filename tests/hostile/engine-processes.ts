import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Engine processes, as seen from outside their sandboxes. */

/**
 * A buffer for all reads, because every check reads hundreds of files whose size the kernel does
 * not know.
 */
const buffer = Buffer.allocUnsafeSlow(2 ** 16);

/** The file's text. Of a longer file, its first 64 KB, which hold the paths of every engine. */
function readProc(name: string): string {
  try {
    const file = openSync(`/proc/${name}`, "r");
    try {
      return buffer.toString("latin1", 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // it has ended
  }
}

/**
 * Command lines of processes that contain `path`, or that run in a folder under it, as an engine does in its own.
 * `others` are not read, which takes a few milliseconds for all processes of a machine.
 */
export function findCommands(path: string, others?: ReadonlySet<number>): string[] {
  return [...findProcesses(path, others).values()];
}

/**
 * Waits for child processes whose command lines contain `path`, and kills them as a system out of memory
 * does. Never kills processes that this process did not start.
 */
export async function killOwnProcesses(path: string): Promise<void> {
  while (!killPresent(path)) await wait(10);
}

/** As `killOwnProcesses`, but again and again until `ended`: a sandbox that is killed while it is made is made again. */
export async function killOwnProcessesUntil(path: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  const stop = ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    killPresent(path);
    await wait(10);
  }
  await stop;
}

/** Kills the child processes of `killOwnProcesses`. Returns whether there was any. */
function killPresent(path: string): boolean {
  const found = [...findProcesses(path).keys()].filter(isDescendant);
  for (const pid of found) killIfPresent(pid);
  return found.length > 0;
}

/** Waits until a page of a browser that this process started has used a second of CPU time, as an endless script does. */
export async function waitForBusyPage(): Promise<void> {
  const listPages = () => [...findProcesses("--type=renderer").keys()].filter(isDescendant);
  while (!listPages().some((pid) => readCpuTicks(pid) > 100)) await wait(20);
}

/** CPU time of a process, in hundredths of a second. */
function readCpuTicks(pid: number): number {
  const [user = "0", system = "0"] = statFields(pid).slice(11, 13);
  return Number(user) + Number(system);
}

/**
 * The fields of `/proc/PID/stat`, from the state on: the name before it may itself contain spaces
 * and parentheses.
 */
function statFields(pid: number): string[] {
  return readProc(`${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
}

function killIfPresent(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // ESRCH: it ended with a process that was killed before it.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isDescendant(pid: number): boolean {
  for (let at = pid; at > 1; ) {
    at = Number(statFields(at)[1] ?? 0);
    if (at === process.pid) return true;
  }
  return false;
}

/**
 * The slot folder of an engine or the folder of its job, also where its command line does not name
 * it.
 */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ""; // it has ended, or belongs to someone else
  }
}

/** Servers that start engines. They are none, and end with the process that they belong to. */
const servers = /\/fork-server\.pl\0|^[^\0]+\0zygote\0|^[^\0]+\/sandboxes\.bin\0[^\0]+\0 /;

/** The ids of all processes of this machine; none if it is not Linux. */
export function listProcesses(): ReadonlySet<number> {
  if (process.platform !== "linux") return new Set();
  return new Set(readdirSync("/proc").map(Number).filter(Number.isInteger));
}

/** Command lines of engines by process id, but for those of `others`. */
function findProcesses(path: string, others?: ReadonlySet<number>): ReadonlyMap<number, string> {
  const commands = [...listProcesses()]
    .filter((pid) => pid !== process.pid && !others?.has(pid))
    .map((pid) => [pid, readProc(`${pid}/cmdline`)] as const)
    // Threads of the kernel, most of all processes, have none.
    .filter(([, command]) => command !== "" && !servers.test(command))
    .filter(([pid, command]) => command.includes(path) || workingFolder(pid).includes(path));
  return new Map(commands.map(([pid, command]) => [pid, command.replaceAll("\0", " ")]));
}

/**
 * Waits up to thirty seconds for processes with `path` to end. Resolves with the remaining command lines. `others` are
 * not read: processes that were there before anything could know `path`.
 */
export async function findRemainingCommands(
  path: string,
  others?: ReadonlySet<number>,
): Promise<string[]> {
  const deadline = Date.now() + 30_000;
  let found = findCommands(path, others);
  while (found.length > 0 && Date.now() < deadline) {
    await wait(20);
    found = findCommands(path, others);
  }
  return found;
}

/**
 * Memory of the process tree under `root`, in bytes, without mapped files. What processes share since a fork
 * counts for each, some 50 MB in Chromium: reading the exact share takes too long to measure often.
 */
function treeBytes(root: number): number {
  let pages = 0;
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const [, resident = 0, shared = 0] = readProc(`${pid}/statm`).split(" ").map(Number);
    pages += resident - shared;
    pending.push(...childrenOf(pid));
  }
  return pages * 4096;
}

/** Memory of each engine of this process, in bytes, by the id of its first process. */
function measureEngines(): ReadonlyMap<number, number> {
  return new Map(childrenOf(process.pid).map((pid) => [pid, treeBytes(pid)]));
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

/**
 * Runs `work` and measures every 50 ms how much memory the engines take for it, in bytes: all of those that start
 * meanwhile, and by how much the others have grown. What warm engines keep of earlier work does not count, because
 * many test files share them.
 */
export async function measurePeak<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; peakBytes: number }> {
  const before = measureEngines();
  let peakBytes = 0;
  const sample = () => {
    const growths = [...measureEngines()].map(([pid, bytes]) => bytes - (before.get(pid) ?? 0));
    const taken = growths.filter((bytes) => bytes > 0).reduce((sum, bytes) => sum + bytes, 0);
    peakBytes = Math.max(peakBytes, taken);
  };
  const timer = setInterval(sample, 50);
  try {
    const result = await work();
    sample();
    return { result, peakBytes };
  } finally {
    clearInterval(timer);
  }
}
