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
import type { CgroupPlace, Controller } from "./cgroup-hierarchies.ts";
import { isAlive } from "./process-folder.ts";

/** Control groups of this process's engines: the kernel's own limits on memory and processes. */

export interface GroupLimits {
  /** Of all its processes together, with the files they have in memory. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
}

/** The group of one engine process and all that it starts. */
export interface ControlGroup {
  /** Files to which a process writes `0` to join, before it becomes the engine. */
  readonly joins: readonly string[];
  /** Whether the kernel has ended a process of the group because its memory was used up. */
  ranOutOfMemory(): boolean;
  /** Kills every process in it, whatever session or parent it has taken. */
  kill(): void;
  /** Takes the group away once its processes are gone. */
  remove(): Promise<void>;
}

const prefix = "mediamill.";

/** A group whose processes are dying can be removed some milliseconds later. */
const removalMs = [0, 1, 4, 15, 50, 150, 500, 1500];

/** The groups of this process, in one group of its own in each hierarchy. */
export class ControlGroups {
  readonly version: 1 | 2;
  readonly controllers: ReadonlySet<Controller>;
  readonly #places: readonly CgroupPlace[];
  readonly #removals = new Set<Promise<void>>();
  #count = 0;

  /**
   * Makes this process's own groups at `places`, which are of one version; all its engines together
   * may use `totalBytes`. Throws where that cannot be done.
   */
  constructor(places: readonly [CgroupPlace, ...CgroupPlace[]], totalBytes: number) {
    this.version = places[0].version;
    this.controllers = new Set(places.flatMap(({ controllers }) => controllers));
    this.#places = places.map((place) => ({ ...place, folder: ownFolder(place) }));
    for (const { version, folder, controllers } of this.#places) {
      mkdirSync(folder, { recursive: true });
      if (version === 2) enable(folder, controllers);
      if (controllers.includes("memory")) limitMemory(version, folder, totalBytes);
    }
    process.once("exit", () => this.#removeAtExit());
  }

  /** Makes the group of one engine. Throws where it cannot. */
  create({ memoryBytes, processes }: GroupLimits): ControlGroup {
    const name = String(++this.#count);
    const folders = this.#places.map(({ version, folder, controllers }) => {
      const path = join(folder, name);
      mkdirSync(path);
      if (controllers.includes("memory")) limitMemory(version, path, memoryBytes);
      if (controllers.includes("pids")) write(path, "pids.max", processes);
      return path;
    });
    const remove = () => {
      const removal = removeFolders(folders).finally(() => this.#removals.delete(removal));
      this.#removals.add(removal);
      return removal;
    };
    return {
      joins: folders.map((folder) => join(folder, "cgroup.procs")),
      ranOutOfMemory: () => folders.some(hasKilled),
      kill: () => folders.forEach(killAll),
      remove,
    };
  }

  /** Takes away this process's own groups; whatever still runs in them is killed. */
  async close(): Promise<void> {
    for (const { folder } of this.#places) for (const group of groupsIn(folder)) killAll(group);
    await Promise.all(this.#removals);
    for (const { folder } of this.#places) {
      await removeFolders([...groupsIn(folder), folder]);
    }
  }

  /** The last that this process does: what is killed here has a moment to end. */
  #removeAtExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (const { folder } of this.#places) {
      for (const ms of [0, 5, 20, 75, 200, 500]) {
        if (ms > 0) Atomics.wait(pause, 0, 0, ms);
        for (const group of groupsIn(folder)) {
          // Each time: one that was just started may join only now.
          killAll(group);
          tryRemove(group);
        }
        if (tryRemove(folder)) break;
      }
    }
  }
}

/** Takes away what processes left that were killed before they could do it. */
export function removeAbandonedGroups(places: readonly CgroupPlace[]): void {
  for (const { folder } of places) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith(prefix))) {
      const pid = Number(name.slice(prefix.length));
      if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
      const own = join(folder, name);
      for (const group of groupsIn(own)) {
        killAll(group);
        tryRemove(group);
      }
      tryRemove(own);
    }
  }
}

function ownFolder({ folder }: CgroupPlace): string {
  return join(folder, `${prefix}${process.pid}`);
}

/** Groups may be named anything but as the kernel's own files are, which have a dot. */
function groupsIn(folder: string): string[] {
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
    // Without these, it swaps for long before it ends, and ends in part.
    writeIfThere(folder, "memory.swap.max", 0);
    writeIfThere(folder, "memory.oom.group", 1);
  } else {
    write(folder, "memory.limit_in_bytes", bytes);
    writeIfThere(folder, "memory.memsw.limit_in_bytes", bytes);
  }
}

/** Version 2 counts in `memory.events`, version 1 in `memory.oom_control`, in lines of the same form. */
function hasKilled(folder: string): boolean {
  const counts = read(folder, "memory.events") + read(folder, "memory.oom_control");
  return /^oom_kill [1-9]/m.test(counts);
}

function killAll(folder: string): void {
  if (existsSync(join(folder, "cgroup.kill"))) {
    write(folder, "cgroup.kill", 1);
    return;
  }
  for (const pid of read(folder, "cgroup.procs").split("\n").map(Number)) if (pid > 0) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** What cannot be removed in two seconds is left to the next start. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  let left = folders;
  for (const ms of removalMs) {
    if (ms > 0) await delay(ms);
    left = left.filter((folder) => !tryRemove(folder));
    if (left.length === 0) return;
  }
}

/** False where processes or groups are still in it. */
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

function writeIfThere(folder: string, name: string, value: string | number): void {
  if (existsSync(join(folder, name))) write(folder, name, value);
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch (error) {
    // No such file in this version, or no such group any more.
    if (["ENOENT", "ENODEV"].includes(codeOf(error))) return "";
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
