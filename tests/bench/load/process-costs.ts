import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** CPU time so far, in milliseconds, of each group of processes of a running service. */
export interface CpuTimes {
  readonly web: number;
  /** The media runner, without its engine processes. */
  readonly runner: number;
  /**
   * The processes of the engines and their sandboxes. Falls when a sandbox ends: Linux does not count what is
   * killed with its process namespace.
   */
  readonly engines: number;
  readonly webhooks: number;
  /** All server processes, ended sessions included. */
  readonly postgres: number;
}

export type ProcessGroup = keyof CpuTimes;

/** Resident memory in bytes. Pages that the processes of a group share count once for each. */
export type Memory = Readonly<Record<ProcessGroup, number>>;

/** Linux reports CPU time in units of 1/100 s (USER_HZ), on every architecture. */
const tickMs = 10;

interface ProcessState {
  readonly parent: number;
  readonly cpuMs: number;
  /** CPU time of the ended child processes that it waited for. */
  readonly endedChildrenMs: number;
}

/**
 * The CPU time and memory of the services that `npm start` runs on a data folder. Needs Linux's /proc.
 * `postgresPid`: a server that another process has started.
 */
export class ServiceProcesses {
  readonly #dataDir: string;
  readonly #postgresPid: number | undefined;

  constructor(dataDir: string, postgresPid?: number) {
    this.#dataDir = dataDir;
    this.#postgresPid = postgresPid;
  }

  pidOf(service: "web" | "media" | "webhooks" | "postgres"): number {
    if (service === "postgres" && this.#postgresPid !== undefined) return this.#postgresPid;
    return Number(readFileSync(join(this.#dataDir, "run", `${service}.pid`), "utf8"));
  }

  readCpu(): CpuTimes {
    const processes = readProcesses();
    const own = (pid: number) => processes.get(pid)?.cpuMs ?? 0;
    const endedChildren = (pid: number) => processes.get(pid)?.endedChildrenMs ?? 0;
    const all = (pids: readonly number[]) =>
      pids.reduce((sum, pid) => sum + own(pid) + endedChildren(pid), 0);
    const postgres = this.pidOf("postgres");
    const media = this.pidOf("media");
    return {
      web: own(this.pidOf("web")),
      runner: own(media),
      engines: all(descendantsOf(media, processes)) + endedChildren(media),
      webhooks: own(this.pidOf("webhooks")),
      postgres: all([postgres, ...descendantsOf(postgres, processes)]),
    };
  }

  readMemory(): Memory {
    const processes = readProcesses();
    const sum = (pids: readonly number[]) =>
      pids.reduce((bytes, pid) => bytes + readResidentBytes(pid), 0);
    const postgres = this.pidOf("postgres");
    const media = this.pidOf("media");
    return {
      web: readResidentBytes(this.pidOf("web")),
      runner: readResidentBytes(media),
      engines: sum(descendantsOf(media, processes)),
      webhooks: readResidentBytes(this.pidOf("webhooks")),
      postgres: sum([postgres, ...descendantsOf(postgres, processes)]),
    };
  }
}

/** CPU time so far, in milliseconds, of one process. */
export function readCpuMs(pid: number): number {
  const state = readState(pid);
  if (!state) throw new Error(`the process ${pid} has ended`);
  return state.cpuMs;
}

/** CPU time so far, in milliseconds, of a process and its children, ended ones included. */
export function groupCpuMs(pid: number): number {
  const processes = readProcesses();
  const members = [pid, ...descendantsOf(pid, processes)];
  return members.reduce((sum, one) => {
    const state = processes.get(one);
    return sum + (state ? state.cpuMs + state.endedChildrenMs : 0);
  }, 0);
}

/** The CPU time between two readings, divided by `count`. */
export function cpuBetween(start: CpuTimes, end: CpuTimes, count = 1): CpuTimes {
  const per = (group: ProcessGroup) => (end[group] - start[group]) / count;
  return {
    web: per("web"),
    runner: per("runner"),
    engines: per("engines"),
    webhooks: per("webhooks"),
    postgres: per("postgres"),
  };
}

function readProcesses(): Map<number, ProcessState> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const state = readState(Number(pid));
      return state ? [[Number(pid), state] as const] : [];
    }),
  );
}

/**
 * Reads the state of a process as proc_pid_stat(5) describes it. Returns undefined if the process
 * has ended.
 */
function readState(pid: number): ProcessState | undefined {
  const text = readIfAlive(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The program's name is in parentheses and may contain spaces; field 3 follows it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    cpuMs: (field(14) + field(15)) * tickMs,
    endedChildrenMs: (field(16) + field(17)) * tickMs,
  };
}

/** Lists the descendants of a process, without the process itself. */
function descendantsOf(pid: number, processes: ReadonlyMap<number, ProcessState>): number[] {
  const children = [...processes]
    .filter(([, { parent }]) => parent === pid)
    .map(([child]) => child);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}

function readResidentBytes(pid: number): number {
  const status = readIfAlive(`/proc/${pid}/status`) ?? "";
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function readIfAlive(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}
