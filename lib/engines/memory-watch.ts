import { readdirSync, readFileSync } from "node:fs";

/**
 * Watches how much memory process trees use, for engines that bear no limit on their address space.
 * Read from /proc; where there is none (macOS) nothing is watched.
 */

interface Watch {
  readonly pid: number;
  readonly limitBytes: number;
  readonly onExceeded: () => void;
}

/** Short enough that a page which allocates 2 GB/s passes its limit by no more than half a gigabyte. */
const intervalMs = 250;

/** Linux's page size on x86-64 and on the ARM kernels of Debian and Ubuntu. */
const pageBytes = 4096;

const watches = new Set<Watch>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls `onExceeded` once when the tree under `pid` uses more than `limitBytes` of memory of its own
 * (resident, not counting what is mapped from files). Ends with the returned function.
 */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void): () => void {
  if (process.platform !== "linux") return () => {};
  const watch = { pid, limitBytes, onExceeded };
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
  const children = readChildren();
  for (const watch of watches) {
    if (treeBytes(watch.pid, children) <= watch.limitBytes) continue;
    watches.delete(watch);
    watch.onExceeded();
  }
}

/** Every process of the machine under its parent's id. */
function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // The second field is a name in brackets that may itself hold spaces and brackets.
    const parent = Number(readProc(`${name}/stat`).split(") ").at(-1)?.split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

function treeBytes(root: number, children: Map<number, number[]>): number {
  let pages = 0;
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const [, resident = 0, shared = 0] = readProc(`${pid}/statm`).split(" ").map(Number);
    pages += resident - shared;
    pending.push(...(children.get(pid) ?? []));
  }
  return pages * pageBytes;
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    // It ended between the listing and the reading: it uses nothing any more.
    return "";
  }
}
