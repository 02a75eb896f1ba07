import { readFileSync } from "node:fs";
import { listProcesses, nameOf } from "./process-times.ts";

/**
 * Reads the memory of the process `root` and its descendants in bytes, by program. What processes
 * share counts for each of them in proportion (PSS), so that the sum is what the machine would have
 * back.
 */
export function readProportionalMemory(root: number): Map<string, number> {
  const children = Map.groupBy(listProcesses().values(), ({ parent }) => parent);
  const bytes = new Map<string, number>();
  const add = (pid: number, inherited: string) => {
    const name = nameOf(pid) ?? inherited;
    bytes.set(name, (bytes.get(name) ?? 0) + readPss(pid));
    for (const child of children.get(pid) ?? []) add(child.pid, name);
  };
  add(root, "other");
  return bytes;
}

function readPss(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0; // it has ended
  }
}
