import { readdirSync, readFileSync } from "node:fs";

/**
 * Checks the resource usage of engines four times per second. If the kernel enforces the limits,
 * the check finds out whether it killed a process for its memory. Otherwise it measures the memory
 * and the processes of the process tree from /proc. Without /proc (macOS), nothing is monitored.
 */

export interface UsageLimits {
  /** The resident memory without pages that are mapped from files. */
  readonly memoryBytes?: number | undefined;
  /** The number of processes and threads. */
  readonly processes?: number | undefined;
}

export interface MonitoredProcess {
  /** The root of the measured process tree. */
  readonly pid: number;
  /** The limits to check here; those that the kernel enforces are undefined. */
  readonly limits: UsageLimits;
  /** Whether the kernel has killed a process of the tree for exceeding the memory limit. */
  readonly ranOutOfMemory: () => boolean;
  /**
   * The function that is called with the memory of the process tree whenever it has been measured.
   */
  readonly onMeasured?: (memoryBytes: number) => void;
  /** The function that is called once, when a limit is exceeded. */
  readonly onExceeded: (limit: "memory" | "processes") => void;
}

/** A page that allocates 2 GB/s exceeds its limit by at most half a gigabyte in this time. */
const intervalMs = 250;

/** Linux's page size on x86-64 and on the ARM kernels of Debian and Ubuntu. */
const pageBytes = 4096;

const monitored = new Set<MonitoredProcess>();
let timer: NodeJS.Timeout | undefined;

/** Monitors `target` until the returned function is called. */
export function monitorUsage(target: MonitoredProcess): () => void {
  if (process.platform !== "linux") return () => {};
  monitored.add(target);
  timer ??= setInterval(checkAll, intervalMs).unref();
  return () => {
    monitored.delete(target);
    if (monitored.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function checkAll(): void {
  const needsTree = [...monitored].some(({ limits }) => limits.memoryBytes ?? limits.processes);
  const children = needsTree ? readChildren() : new Map<number, number[]>();
  for (const target of monitored) {
    const exceeded = findExceededLimit(target, children);
    if (!exceeded) continue;
    monitored.delete(target);
    target.onExceeded(exceeded);
  }
}

function findExceededLimit(
  { pid, limits, ranOutOfMemory, onMeasured }: MonitoredProcess,
  children: Map<number, number[]>,
) {
  if (ranOutOfMemory()) return "memory";
  const { memoryBytes = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = limits;
  if (memoryBytes + processes === Number.POSITIVE_INFINITY && !children.size) return undefined;
  const tree = measureTree(pid, children);
  onMeasured?.(tree.bytes);
  if (tree.bytes > memoryBytes) return "memory";
  return tree.threads > processes ? "processes" : undefined;
}

/**
 * The children of every process of the machine, by the parent's id. The members of a process group count as
 * children of its first process too: they stay in the group when their own parent has exited.
 */
function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const [, parent, group] = readStat(pid).map(Number);
    for (const above of new Set([parent, group])) {
      if (above === undefined || above === pid) continue;
      children.set(above, [...(children.get(above) ?? []), pid]);
    }
  }
  return children;
}

/** The memory (bytes) and threads that the process tree under `root` uses now. */
function measureTree(root: number, children: Map<number, number[]>) {
  let pages = 0;
  let threads = 0;
  const pending = [root];
  const seen = new Set<number>();
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    const [, resident = 0, shared = 0] = readProc(`${pid}/statm`).split(" ").map(Number);
    pages += resident - shared;
    threads += Number(readStat(pid)[17] ?? 0);
    pending.push(...(children.get(pid) ?? []));
  }
  return { bytes: pages * pageBytes, threads };
}

/**
 * The fields of `stat` from the third on: [0] is the state, [1] the parent, [2] the process group, [17]
 * the threads
 * (proc(5)).
 */
function readStat(pid: number): string[] {
  // The second field is a name in parentheses. It may contain spaces and parentheses itself.
  return (readProc(`${pid}/stat`).split(") ").at(-1) ?? "").split(" ");
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    // The process exited after the listing and uses no resources.
    return "";
  }
}
