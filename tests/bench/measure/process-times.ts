import { readdirSync, readFileSync } from "node:fs";

/** CPU time of a process tree, by program, from /proc. */

/** Clock ticks per second (`getconf CLK_TCK`), which is 100 on all Linux systems of today. */
const ticksPerSecond = 100;

/** Names of programs, each with a pattern for its command line; the first match counts. */
const programs: readonly (readonly [string, RegExp])[] = [
  ["web", /scripts\/web\.ts/],
  ["runner", /scripts\/runner\.ts.media/],
  ["webhooks", /scripts\/runner\.ts.webhooks/],
  ["image worker", /engines\/worker\/program\.ts/],
  ["exiftool", /exiftool/],
  ["qpdf", /qpdf-server\.py/],
  ["fork server", /fork-server\.pl|\/sandboxes\.bin \S+ {2}/],
  ["LibreOffice", /soffice|libreoffice/],
  ["Chromium", /chromium/],
  ["ffmpeg", /ffmpeg|ffprobe/],
  ["postgres", /postgres/],
];

/** CPU seconds of the process `root` and its descendants, by program; exited children count for their parent. */
export function readCpuSeconds(root: number): Map<string, number> {
  const processes = listProcesses();
  const children = Map.groupBy(processes.values(), ({ parent }) => parent);
  const seconds = new Map<string, number>();
  const add = (pid: number, inherited: string) => {
    const one = processes.get(pid);
    const name = nameOf(pid) ?? inherited;
    if (one) seconds.set(name, (seconds.get(name) ?? 0) + one.ticks / ticksPerSecond);
    for (const child of children.get(pid) ?? []) add(child.pid, name);
  };
  add(root, "other");
  return seconds;
}

/** CPU seconds of all processes of the machine since its start. */
export function readBusySeconds(): number {
  const [user, nice, system, , , irq, softirq] = read("stat").split(/\s+/).slice(1, 8).map(Number);
  return (
    [user, nice, system, irq, softirq].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) /
    ticksPerSecond
  );
}

/** What was used between two readings. */
export function subtractCpuSeconds(
  later: ReadonlyMap<string, number>,
  earlier: ReadonlyMap<string, number>,
): Map<string, number> {
  const used = [...later].map(([name, value]) => [name, value - (earlier.get(name) ?? 0)] as const);
  return new Map(used.filter(([, value]) => value > 0));
}

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** All processes of the machine, by id. */
export function listProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // From the third field on: the state, the parent; [11] to [14] are the times (proc(5)).
    const fields = read(`${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(pid, { pid, parent: Number(fields[1]), ticks });
  }
  return processes;
}

/** The program of a process; undefined if it is not one of `programs`. */
export function nameOf(pid: number): string | undefined {
  const commandLine = read(`${pid}/cmdline`).replaceAll("\0", " ");
  return programs.find(([, pattern]) => pattern.test(commandLine))?.[0];
}

function read(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    return ""; // it has exited
  }
}
