import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CgroupParent, Controller } from "./cgroup-hierarchies.ts";
import { isAlive } from "./folder/process-folder.ts";

/** Control groups for the engines of this process: memory and process limits in the kernel. */

export interface ControlGroupLimits {
  /** The memory of all processes of the group, including their files in memory. */
  readonly memoryBytes: number;
  /** The number of processes and threads. */
  readonly processes: number;
}

/** The group of one engine process and its descendants. */
export interface ControlGroup {
  /** A process joins the group by writing `0` to these files, before it executes the engine. */
  readonly processFiles: readonly string[];
  /** Whether the kernel has killed a process of the group for exceeding the memory limit. */
  ranOutOfMemory(): boolean;
  /** The most memory that the group has used; undefined if the kernel does not count it. */
  peakMemoryBytes(): number | undefined;
  /** Kills every process in the group, including those with another session or parent. */
  kill(): void;
  /** Removes the group as soon as its processes have exited. */
  remove(): Promise<void>;
}

const prefix = "mediamill.";

/** A group can be removed only after its killed processes have exited, some milliseconds later. */
const removalDelaysMs = [0, 1, 4, 15, 50, 150, 500, 1500];

/** The engine groups of this process. They are in one process group per hierarchy. */
export class ControlGroups {
  readonly version: 1 | 2;
  readonly controllers: ReadonlySet<Controller>;
  readonly #parents: readonly CgroupParent[];
  readonly #removals = new Set<Promise<void>>();
  #count = 0;

  /**
   * Creates the group of this process in each of `parents`, which have the same version. All
   * engines together may use `totalBytes` of memory. Throws if the kernel rejects it.
   */
  constructor(parents: readonly [CgroupParent, ...CgroupParent[]], totalBytes: number) {
    this.version = parents[0].version;
    this.controllers = new Set(parents.flatMap(({ controllers }) => controllers));
    this.#parents = parents.map((parent) => ({ ...parent, folder: processGroupFolder(parent) }));
    for (const { version, folder, controllers } of this.#parents) {
      mkdirSync(folder, { recursive: true });
      if (version === 2) enable(folder, controllers);
      if (controllers.includes("memory")) limitMemory(version, folder, totalBytes);
    }
    process.once("exit", () => this.#removeAtExit());
  }

  /** Creates the group of one engine. Throws if the kernel rejects it. */
  create({ memoryBytes, processes }: ControlGroupLimits): ControlGroup {
    const name = String(++this.#count);
    const folders = this.#parents.map(({ version, folder, controllers }) => {
      const path = join(folder, name);
      mkdirSync(path);
      if (controllers.includes("memory")) limitMemory(version, path, memoryBytes);
      if (controllers.includes("pids")) write(path, "pids.max", processes);
      return path;
    });
    const memory = this.#parents.filter(({ controllers }) => controllers.includes("memory"));
    const filesOf = (names: Readonly<Record<1 | 2, string>>) =>
      memory.map(({ version, folder }) =>
        join(/* turbopackIgnore: true */ folder, name, names[version]),
      );
    const eventFiles = filesOf(memoryEvents);
    const peakFiles = filesOf(memoryPeak);
    const remove = () => {
      const removal = removeFolders(folders).finally(() => this.#removals.delete(removal));
      this.#removals.add(removal);
      return removal;
    };
    return {
      processFiles: folders.map((folder) => join(folder, "cgroup.procs")),
      ranOutOfMemory: () => eventFiles.some(hasOomKill),
      peakMemoryBytes: () => peakFiles.map(readCount).find((bytes) => bytes !== undefined),
      kill: () => folders.forEach(killAll),
      remove,
    };
  }

  /** Kills all processes in the groups of this process, then removes the groups. */
  async close(): Promise<void> {
    for (const { folder } of this.#parents) for (const group of listGroups(folder)) killAll(group);
    await Promise.all(this.#removals);
    for (const { folder } of this.#parents) {
      await removeFolders([...listGroups(folder), folder]);
    }
  }

  /** Runs synchronously at exit; it waits up to 0.8 s for killed processes to exit. */
  #removeAtExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (const { folder } of this.#parents) {
      for (const ms of [0, 5, 20, 75, 200, 500]) {
        if (ms > 0) Atomics.wait(pause, 0, 0, ms);
        for (const group of listGroups(folder)) {
          // Repeated in every pass, because a process that was just started may join late.
          killAll(group);
          tryRemove(group);
        }
        if (tryRemove(folder)) break;
      }
    }
  }
}

/** Removes the groups of processes that were killed before they could remove them. */
export function removeStaleGroups(parents: readonly CgroupParent[]): void {
  for (const { folder } of parents) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith(prefix))) {
      const pid = Number(name.slice(prefix.length));
      if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
      const stale = join(folder, name);
      for (const group of listGroups(stale)) {
        killAll(group);
        tryRemove(group);
      }
      tryRemove(stale);
    }
  }
}

function processGroupFolder({ folder }: CgroupParent): string {
  return join(folder, `${prefix}${process.pid}`);
}

/** Engine groups have numeric names; the kernel's files in the same folder have a dot. */
function listGroups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => join(folder, name));
}

function enable(folder: string, controllers: readonly Controller[]): void {
  for (const name of controllers) write(folder, "cgroup.subtree_control", `+${name}`);
}

function limitMemory(version: 1 | 2, folder: string, bytes: number): void {
  if (version === 2) {
    write(folder, "memory.max", bytes);
    // Otherwise the group swaps for a long time before the kernel kills only some of its processes.
    writeIfExists(folder, "memory.swap.max", 0);
    writeIfExists(folder, "memory.oom.group", 1);
  } else {
    write(folder, "memory.limit_in_bytes", bytes);
    writeIfExists(folder, "memory.memsw.limit_in_bytes", bytes);
  }
}

/** The file with the counter of killed processes, in the same format in both versions. */
const memoryEvents = { 1: "memory.oom_control", 2: "memory.events" } as const;

/** The file with the most memory that was used. In version 2, kernels before 5.19 have none. */
const memoryPeak = { 1: "memory.max_usage_in_bytes", 2: "memory.peak" } as const;

function readCount(file: string): number | undefined {
  const text = readIfExists(file).trim();
  return text === "" ? undefined : Number(text);
}

/**
 * Whether the kernel killed a process of the group. The file is read for every reply of an engine.
 * Only one file is read, because a missing one costs far more.
 */
function hasOomKill(eventFile: string): boolean {
  return /^oom_kill [1-9]/m.test(readIfExists(eventFile));
}

function killAll(folder: string): void {
  if (existsSync(join(folder, "cgroup.kill"))) {
    write(folder, "cgroup.kill", 1);
    return;
  }
  for (const pid of readIfExists(join(folder, "cgroup.procs")).split("\n").map(Number))
    if (pid > 0) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** Tries for about two seconds; the next start of a runner removes the remaining groups. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  let remaining = folders;
  for (const ms of removalDelaysMs) {
    if (ms > 0) await delay(ms);
    remaining = remaining.filter((folder) => !tryRemove(folder));
    if (remaining.length === 0) return;
  }
}

/** Removes the group. Returns false while it still contains processes or groups. */
function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    if (["EBUSY", "ENOTEMPTY"].includes(codeOf(error))) return false;
    throw error;
  }
}

function write(folder: string, name: string, value: string | number): void {
  writeFileSync(join(folder, name), String(value));
}

function writeIfExists(folder: string, name: string, value: string | number): void {
  if (existsSync(join(folder, name))) write(folder, name, value);
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // The file does not exist in this version, or the group has been removed.
    if (["ENOENT", "ENODEV"].includes(codeOf(error))) return "";
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
