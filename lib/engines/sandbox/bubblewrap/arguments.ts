import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { defaultFontCache, findFontCache } from "../view/fonts.ts";
import { readableEtc, type SandboxedCommand, type SandboxView } from "../view/sandbox-view.ts";

export type { SandboxedCommand, SandboxView };

/** The arguments of bubblewrap (bwrap(1)), which define what a sandboxed process can access. */

/** Descriptors that bubblewrap inherits and closes. */
export interface SandboxDescriptors {
  /** It reports the first process of the sandbox there; see `first-process.ts`. */
  readonly info: number;
  /** The filter of system calls is read from it. */
  readonly filter: number;
}

/** The path of the folder inside the sandbox. */
export const sandboxFolder = "/job";

/**
 * Kernel settings of the whole machine. If the runner is root, the kernel also treats a sandboxed
 * process as root when it checks access to these files, regardless of its uid in the sandbox. The
 * process could then set a program that receives core dumps.
 */
const kernelSettings = [
  "sys",
  "sysrq-trigger",
  "mtrr",
  "pressure",
  "fs",
  "acpi",
  "scsi",
  "irq",
  "bus",
].map((name) => `/proc/${name}`);

/**
 * Files about the memory of the whole machine: addresses in the kernel, its allocations and its log.
 * Exploits of the kernel start there, and no engine reads them. Each one costs 0.1 ms per start, so
 * files without such content are not in the list.
 */
const kernelState = [
  "kallsyms",
  "kcore",
  "kmsg",
  "kpagecgroup",
  "kpagecount",
  "kpageflags",
  "modules",
  "iomem",
  "ioports",
  "slabinfo",
  "vmallocinfo",
  "buddyinfo",
  "pagetypeinfo",
  "zoneinfo",
  "timer_list",
  "timer_stats",
  "sched_debug",
  "latency_stats",
  "keys",
].map((name) => `/proc/${name}`);

let hiddenFiles: readonly string[] | undefined;

/** The files of /proc about the machine that this process could read, and thus a sandboxed process too. */
export function listHiddenFiles(): readonly string[] {
  hiddenFiles ??= kernelState.filter(isReadable);
  return hiddenFiles;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The options that mount `/proc` without what belongs to the whole machine. */
function procOptions(view: SandboxView): string[] {
  const args = ["--proc", "/proc"];
  // The mount forbids devices, so that the files cannot be opened at all.
  for (const path of listHiddenFiles()) args.push("--ro-bind", "/dev/null", path);
  // A process that creates a user namespace writes its own uid map there.
  if (!view.createsUserNamespaces) return [...args, "--remount-ro", "/proc"];
  for (const path of kernelSettings) args.push("--ro-bind-try", path, path);
  return args;
}

/** The uid in the sandbox; outside, it is the uid of the runner. Chromium does not run as root. */
export const sandboxUid = "1000";

/** Folders in the sandbox that are kept in memory, and their sizes in bytes. */
const memoryFolders = [
  ["/tmp", 2 ** 30],
  ["/dev/shm", 2 ** 26],
] as const;

/** The environment in the sandbox, without the variables of the view. */
export const sandboxVariables = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" } as const;

let supportsDisableUserns: boolean | undefined;

/** Whether this bubblewrap can forbid further user namespaces (version 0.8 and later). */
function canDisableUserNamespaces(): boolean {
  supportsDisableUserns ??=
    spawnSync("bwrap", ["--help"]).stdout?.includes("--disable-userns") ?? false;
  return supportsDisableUserns;
}

/** What every sandbox can read of the system. */
export function systemOptions(): string[] {
  const args = ["--ro-bind", "/usr", "/usr"];
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64"]) {
    if (existsSync(/* turbopackIgnore: true */ `/${name}`))
      args.push("--symlink", `usr/${name}`, `/${name}`);
  }
  for (const name of readableEtc) args.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  const fontCache = findFontCache();
  if (fontCache) args.push("--ro-bind-try", fontCache, defaultFontCache);
  return args;
}

/** The files of `view` outside of its folder, after `/dev` is mounted. */
export function viewOptions(view: SandboxView): string[] {
  const args: string[] = [];
  for (const path of view.hidden ?? []) args.push("--ro-bind", "/dev/null", path);
  for (const path of view.devices ?? []) args.push("--dev-bind-try", path, path);
  for (const path of view.readable ?? []) args.push("--ro-bind", realpathSync(path), path);
  return args;
}

/**
 * The bubblewrap command that runs `inner` in a separate sandbox: no network, no other processes,
 * read access to `/usr` and the paths of `view`, write access to the folder, /tmp and /dev/shm.
 */
export function wrapInSandbox(
  inner: SandboxedCommand,
  view: SandboxView,
  { info, filter }: SandboxDescriptors,
): SandboxedCommand {
  const args = ["--unshare-all", "--uid", sandboxUid, "--gid", sandboxUid, "--cap-drop", "ALL"];
  args.push("--die-with-parent", "--new-session", "--hostname", "engine", "--clearenv");
  args.push("--info-fd", `${info}`);
  if (!view.createsUserNamespaces && canDisableUserNamespaces())
    args.push("--unshare-user", "--disable-userns");
  // First, because bubblewrap reads the list of all mounts for each further one.
  args.push(...procOptions(view), ...systemOptions(), "--dev", "/dev");
  for (const [path, bytes] of memoryFolders) args.push("--size", `${bytes}`, "--tmpfs", path);
  args.push(...viewOptions(view));
  args.push(view.writable ? "--ro-bind" : "--bind", view.folder, sandboxFolder);
  for (const name of view.writable ?? []) {
    args.push("--bind", join(view.folder, name), join(sandboxFolder, name));
  }
  // The root and /dev are in memory too. Files there would remain after a warm engine's job.
  args.push("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", sandboxFolder);
  args.push("--seccomp", `${filter}`);
  const variables = Object.entries({ ...sandboxVariables, ...view.variables });
  for (const [name, value] of variables) args.push("--setenv", name, value);
  return { command: "bwrap", args: [...args, "--", inner.command, ...inner.args] };
}

/**
 * The root folder of the project, with the code and packages that a sandboxed Node process reads.
 */
export function projectFolder(): string {
  return join(import.meta.dirname, "../../../..");
}
