import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Finds the control groups in which this process may create groups (cgroups(7)). */

export type Controller = "memory" | "pids";

/** A group in which this process may create groups. */
export interface CgroupParent {
  readonly version: 1 | 2;
  /** Absolute path of the group in the mounted hierarchy. */
  readonly folder: string;
  readonly controllers: readonly Controller[];
}

/** What the kernel reports about the hierarchies and the groups of this process. */
export interface CgroupInfo {
  /** The content of `/proc/self/mountinfo`. */
  readonly mounts: string;
  /** The content of `/proc/self/cgroup`. */
  readonly membership: string;
}

/** The leaf group to which a group's processes are moved, so that it may contain limited groups. */
const processesLeaf = "mediamill.processes";

const usedControllers: readonly Controller[] = ["memory", "pids"];

/**
 * Reads the control groups. Returns undefined if there are none: on macOS, or if /proc is not
 * mounted.
 */
export function readCgroupInfo(): CgroupInfo | undefined {
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
  /** The group of the hierarchy that is mounted. */
  readonly root: string;
  readonly point: string;
  /** The controllers and other options, which only version 1 has. */
  readonly options: readonly string[];
}

/**
 * The usable parent groups. Version 2 has one hierarchy for memory and processes, version 1 has one
 * for each. Groups that are not writable or not delegated to this process are omitted.
 */
export function findCgroupParents({ mounts, membership }: CgroupInfo): CgroupParent[] {
  const parsed = mounts.split("\n").flatMap((line) => parseMount(line) ?? []);
  const groupOf = (controller: Controller | "") => {
    const lines = membership.split("\n").map((line) => line.split(":"));
    return lines.find(([, names = ""]) => names.split(",").includes(controller))?.[2];
  };
  const unified = parsed.find(({ version }) => version === 2);
  const version2 = unified && findUnifiedParent(unified, findGroupFolder(unified, groupOf("")));
  const version1 = usedControllers.flatMap((controller): CgroupParent[] => {
    const mount = parsed.find(
      ({ version, options }) => version === 1 && options.includes(controller),
    );
    const folder = mount && findGroupFolder(mount, groupOf(controller));
    return folder && isWritable(folder) ? [{ version: 1, folder, controllers: [controller] }] : [];
  });
  return [...(version2 ? [version2] : []), ...version1];
}

/** A line of mountinfo (proc(5)): `id parent dev root point options … - type source options`. */
function parseMount(line: string): Mount | undefined {
  const [left = "", right = ""] = line.split(" - ");
  const [, , , root, point] = left.split(" ").map(unescapeMount);
  const [type, , options = ""] = right.split(" ");
  if (!root || !point || (type !== "cgroup" && type !== "cgroup2")) return undefined;
  return { version: type === "cgroup2" ? 2 : 1, root, point, options: options.split(",") };
}

/** The kernel escapes spaces in paths as `\040`. */
function unescapeMount(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 * The folder of this process's group; the mount point if the path is of another cgroup namespace.
 */
function findGroupFolder({ root, point }: Mount, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const below = root === "/" ? path : path.startsWith(root) ? path.slice(root.length) : "";
  const folder = resolve(point, `./${below}`);
  return !below.includes("..") && existsSync(/* turbopackIgnore: true */ folder) ? folder : point;
}

function findUnifiedParent(mount: Mount, group: string | undefined): CgroupParent | undefined {
  if (!group) return undefined;
  const base = group.endsWith(`/${processesLeaf}`) ? dirname(group) : group;
  const ancestor = findEnabledAncestor(mount.point, base);
  const folder = ancestor ?? base;
  const controllers = ancestor
    ? listControllers(ancestor, "cgroup.subtree_control")
    : enableControllers(mount.point, base);
  return controllers.includes("memory") ? { version: 2, folder, controllers } : undefined;
}

/**
 * The nearest group, `base` or above, that may contain limited groups. The search stops at a group
 * that has a limit itself, because a process outside that group would escape the limit.
 */
function findEnabledAncestor(point: string, base: string): string | undefined {
  for (let folder = base; folder.startsWith(point); folder = dirname(folder)) {
    if (readWords(folder, "cgroup.subtree_control").has("memory") && isWritable(folder))
      return folder;
    const isLimited = ["memory.max", "pids.max"].some(
      (name) => !["", "max"].includes(readText(folder, name)),
    );
    if (isLimited) return undefined;
  }
  return undefined;
}

/**
 * Allows `base` to contain limited groups. Such a group may contain no processes itself (the "no
 * internal processes" rule), so its processes are moved to a leaf. This is done only if the group
 * belongs to this service: the root group of a container, or a group that was delegated to this
 * user (systemd's `Delegate=yes`).
 */
function enableControllers(point: string, base: string): readonly Controller[] {
  // The root of the whole hierarchy has no type; the root of a container's namespace has one.
  const isContainer = base === point && existsSync(join(base, "cgroup.type"));
  const isDelegated = process.getuid?.() !== 0 && isWritable(base);
  const controllers = listControllers(base, "cgroup.controllers");
  if (!(isContainer || isDelegated) || !controllers.includes("memory")) return [];
  const leaf = join(base, processesLeaf);
  try {
    mkdirSync(leaf, { recursive: true });
    // A process that starts meanwhile is moved in the next pass.
    for (let pass = 0; pass < 5; pass++) {
      for (const pid of readWords(base, "cgroup.procs")) moveProcess(pid, leaf);
      if (readWords(base, "cgroup.procs").size === 0) break;
    }
    const value = controllers.map((name) => `+${name}`).join(" ");
    writeFileSync(join(base, "cgroup.subtree_control"), value);
    return controllers;
  } catch {
    // Not writable, or a process cannot be moved. Another method limits the memory then.
    return [];
  }
}

/** The used controllers among those that the file `name` in `folder` lists. */
function listControllers(folder: string, name: string): readonly Controller[] {
  const listed = readWords(folder, name);
  return usedControllers.filter((controller) => listed.has(controller));
}

function moveProcess(pid: string, leaf: string): void {
  try {
    writeFileSync(join(leaf, "cgroup.procs"), pid);
  } catch (error) {
    // The process has exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function readWords(folder: string, name: string): Set<string> {
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
