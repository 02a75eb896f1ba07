import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where this process may make control groups of its own (cgroups(7)). */

export type Controller = "memory" | "pids";

export interface CgroupPlace {
  readonly version: 1 | 2;
  /** Absolute; groups are made in it. */
  readonly folder: string;
  readonly controllers: readonly Controller[];
}

/** What the kernel tells of the hierarchies and of this process's place in them. */
export interface CgroupFacts {
  /** `/proc/self/mountinfo` */
  readonly mounts: string;
  /** `/proc/self/cgroup` */
  readonly membership: string;
}

/** The leaf that a cgroup's own processes are moved to, so that it may have groups with limits. */
const processesLeaf = "mediamill.processes";

const wanted: readonly Controller[] = ["memory", "pids"];

/** Undefined where there are no control groups: on macOS, or where /proc is not mounted. */
export function readCgroupFacts(): CgroupFacts | undefined {
  try {
    return {
      mounts: readFileSync("/proc/self/mountinfo", "utf8"),
      membership: readFileSync("/proc/self/cgroup", "utf8"),
    };
  } catch {
    return undefined;
  }
}

interface Mount {
  readonly version: 1 | 2;
  /** The part of the hierarchy that is mounted. */
  readonly root: string;
  readonly point: string;
  /** Version 1: the controllers and other words. */
  readonly options: readonly string[];
}

/**
 * The places by version: 2 has memory and processes in one hierarchy, 1 in one each. A place that is
 * not writable, or not ours to use, is left out.
 */
export function findCgroupPlaces({ mounts, membership }: CgroupFacts): CgroupPlace[] {
  const found = mounts.split("\n").flatMap((line) => parseMount(line) ?? []);
  const own = (controller: Controller | "") => {
    const lines = membership.split("\n").map((line) => line.split(":"));
    return lines.find(([, names = ""]) => names.split(",").includes(controller))?.[2];
  };
  const unified = found.find(({ version }) => version === 2);
  const second = unified && placeInUnified(unified, folderOf(unified, own("")));
  const first = wanted.flatMap((controller): CgroupPlace[] => {
    const mount = found.find(
      ({ version, options }) => version === 1 && options.includes(controller),
    );
    const folder = mount && folderOf(mount, own(controller));
    return folder && isWritable(folder) ? [{ version: 1, folder, controllers: [controller] }] : [];
  });
  return [...(second ? [second] : []), ...first];
}

/** A line of mountinfo (proc(5)): `id parent dev root point options … - type source options`. */
function parseMount(line: string): Mount | undefined {
  const [left = "", right = ""] = line.split(" - ");
  const [, , , root, point] = left.split(" ").map(unescapeMount);
  const [type, , options = ""] = right.split(" ");
  if (!root || !point || (type !== "cgroup" && type !== "cgroup2")) return undefined;
  return { version: type === "cgroup2" ? 2 : 1, root, point, options: options.split(",") };
}

/** Blanks in paths are told as `\040`. */
function unescapeMount(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Where this process's group is mounted; the mount itself where its path tells of another namespace. */
function folderOf({ root, point }: Mount, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const below = root === "/" ? path : path.startsWith(root) ? path.slice(root.length) : "";
  const folder = resolve(point, `./${below}`);
  return !below.includes("..") && existsSync(folder) ? folder : point;
}

function placeInUnified(mount: Mount, own: string | undefined): CgroupPlace | undefined {
  if (!own) return undefined;
  const base = own.endsWith(`/${processesLeaf}`) ? dirname(own) : own;
  const folder = findEnabled(mount.point, base);
  const place = (at: string, controllers: readonly Controller[]): CgroupPlace | undefined =>
    controllers.includes("memory") ? { version: 2, folder: at, controllers } : undefined;
  return folder
    ? place(folder, controllersIn(folder, "cgroup.subtree_control"))
    : place(base, enableHere(mount.point, base));
}

/**
 * The nearest group, `base` or one above it, whose own groups have limits. One that has a limit itself
 * is not left: what runs above it would run past that.
 */
function findEnabled(point: string, base: string): string | undefined {
  for (let folder = base; folder.startsWith(point); folder = dirname(folder)) {
    if (words(folder, "cgroup.subtree_control").has("memory") && isWritable(folder)) return folder;
    const isLimited = ["memory.max", "pids.max"].some(
      (name) => !["", "max"].includes(readText(folder, name)),
    );
    if (isLimited) return undefined;
  }
  return undefined;
}

/**
 * Lets `base` have groups with limits. It may then hold no process of its own (the "no internal
 * processes" rule), so its processes go to a leaf. Done only where the group is ours: a container's own,
 * or one that was handed to this user (systemd's `Delegate=yes`).
 */
function enableHere(point: string, base: string): readonly Controller[] {
  // The root of all has no type; the root of a container's namespace has one.
  const isContainer = base === point && existsSync(join(base, "cgroup.type"));
  const isDelegated = process.getuid?.() !== 0 && isWritable(base);
  const controllers = controllersIn(base, "cgroup.controllers");
  if (!(isContainer || isDelegated) || !controllers.includes("memory")) return [];
  const leaf = join(base, processesLeaf);
  try {
    mkdirSync(leaf, { recursive: true });
    // A process that is born meanwhile is moved in the next round.
    for (let round = 0; round < 5; round++) {
      for (const pid of words(base, "cgroup.procs")) move(pid, leaf);
      if (words(base, "cgroup.procs").size === 0) break;
    }
    const enabling = controllers.map((name) => `+${name}`).join(" ");
    writeFileSync(join(base, "cgroup.subtree_control"), enabling);
    return controllers;
  } catch {
    // Not writable after all, or a process that cannot be moved: there is another way to limit memory.
    return [];
  }
}

/** Of the controllers that `name`, a file of `folder`, lists, those that we want. */
function controllersIn(folder: string, name: string): readonly Controller[] {
  const listed = words(folder, name);
  return wanted.filter((controller) => listed.has(controller));
}

function move(pid: string, leaf: string): void {
  try {
    writeFileSync(join(leaf, "cgroup.procs"), pid);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function words(folder: string, name: string): Set<string> {
  return new Set(readText(folder, name).split(/\s+/).filter(Boolean));
}

function readText(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8").trim();
  } catch {
    return "";
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
