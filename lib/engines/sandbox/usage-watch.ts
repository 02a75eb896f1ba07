import { readdirSync, readFileSync } from "node:fs";

/**
 * Looks several times a second at what engines use: where the kernel limits them, whether it had to
 * end one; elsewhere at the memory and the processes of their process trees, read from /proc. Where
 * there is no /proc (macOS), neither is watched.
 */

export interface UsageLimits {
  /** Of memory of its own: resident, not counting what is mapped from files. */
  readonly memoryBytes?: number | undefined;
  /** Processes and threads. */
  readonly processes?: number | undefined;
}

export interface UsageWatch {
  readonly pid: number;
  /** What is measured of the tree under `pid`; nothing where the kernel does it. */
  readonly limits: UsageLimits;
  /** Whether the kernel has ended one of them for its memory. */
  readonly ranOutOfMemory: () => boolean;
  /** Called once. */
  readonly onExceeded: (what: "memory" | "processes") => void;
}

/** Short enough that a page which allocates 2 GB/s passes its limit by no more than half a gigabyte. */
const intervalMs = 250;

/** Linux's page size on x86-64 and on the ARM kernels of Debian and Ubuntu. */
const pageBytes = 4096;

const watches = new Set<UsageWatch>();
let timer: NodeJS.Timeout | undefined;

/** Watches until the returned function is called. */
export function watchUsage(watch: UsageWatch): () => void {
  if (process.platform !== "linux") return () => {};
  watches.add(watch);
  timer ??= setInterval(checkAll, intervalMs).unref();
  return () => {
    watches.delete(watch);
    if (watches.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function checkAll(): void {
  const measures = [...watches].some(({ limits }) => limits.memoryBytes ?? limits.processes);
  const children = measures ? readChildren() : new Map<number, number[]>();
  for (const watch of watches) {
    const what = exceeded(watch, children);
    if (!what) continue;
    watches.delete(watch);
    watch.onExceeded(what);
  }
}

function exceeded({ pid, limits, ranOutOfMemory }: UsageWatch, children: Map<number, number[]>) {
  if (ranOutOfMemory()) return "memory";
  const { memoryBytes = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = limits;
  if (memoryBytes + processes === Number.POSITIVE_INFINITY && !children.size) return undefined;
  const tree = measureTree(pid, children);
  if (tree.bytes > memoryBytes) return "memory";
  return tree.threads > processes ? "processes" : undefined;
}

/** Every process of the machine under its parent's id. */
function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = Number(readStat(pid)[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

/** What the tree under `root` uses now. */
function measureTree(root: number, children: Map<number, number[]>) {
  let [pages, threads] = [0, 0];
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const [, resident = 0, shared = 0] = readProc(`${pid}/statm`).split(" ").map(Number);
    pages += resident - shared;
    threads += Number(readStat(pid)[17] ?? 0);
    pending.push(...(children.get(pid) ?? []));
  }
  return { bytes: pages * pageBytes, threads };
}

/** The fields of `stat` from the third on: state, parent, …; the eighteenth of these counts threads (proc(5)). */
function readStat(pid: number): string[] {
  // The second field is a name in brackets that may itself hold spaces and brackets.
  return (readProc(`${pid}/stat`).split(") ").at(-1) ?? "").split(" ");
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    // It ended between the listing and the reading: it uses nothing any more.
    return "";
  }
}
