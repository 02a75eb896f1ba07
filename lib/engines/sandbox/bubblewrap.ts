import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a sandboxed process sees: bubblewrap's arguments (bwrap(1)). */

export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a sandboxed process may see beside `/usr` and its folder. */
export interface SandboxView {
  /** Absolute folder, writable; inside it is `/job` and the working directory. */
  readonly folder: string;
  /** Names in `folder` that are there and may be read, not written. */
  readonly protected?: readonly string[];
  /** Absolute paths that are readable inside under the same name. */
  readonly readable?: readonly string[];
  /** Variables beside `PATH`, `HOME`, `LANG`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether it makes user namespaces of its own: Chromium's own sandbox does. */
  readonly nestsSandboxes?: boolean;
}

/** Where the folder of a sandboxed process is, as that process sees it. */
export const insideFolder = "/job";

/** Parts of /etc that engines need: fonts, the linker's cache, alternatives, their own settings. */
const readableEtc = [
  "fonts",
  "alternatives",
  "ld.so.cache",
  "libreoffice",
  "localtime",
  "ssl/openssl.cnf",
];

/**
 * Settings of the whole machine. Where the runner is root, so is a sandboxed process to the kernel's
 * check of these files, whatever its uid inside: it could name a program for core dumps to be given to.
 */
const kernelSettings = ["sys", "sysrq-trigger", "mtrr", "pressure", "fs", "acpi", "scsi"].map(
  (name) => `/proc/${name}`,
);

/** The uid inside; outside it is the runner's own. Chromium refuses to run as root. */
const innerUid = "1000";

/** Folders inside that are memory, and how much of it in bytes. */
const temporary = [
  ["/tmp", 2 ** 30],
  ["/dev/shm", 2 ** 26],
] as const;

let bansNamespaces: boolean | undefined;

/** Whether this bubblewrap can forbid further user namespaces inside (0.8 and later). */
function canBanNamespaces(): boolean {
  bansNamespaces ??= spawnSync("bwrap", ["--help"]).stdout?.includes("--disable-userns") ?? false;
  return bansNamespaces;
}

/**
 * `inner` in a sandbox of its own: no network, no process but its own, `/usr` and what `view` names;
 * nothing is writable but the folder, /tmp and /dev/shm.
 */
export function wrap(inner: SandboxedCommand, view: SandboxView): SandboxedCommand {
  const args = ["--unshare-all", "--uid", innerUid, "--gid", innerUid, "--cap-drop", "ALL"];
  args.push("--die-with-parent", "--new-session", "--hostname", "engine", "--clearenv");
  if (!view.nestsSandboxes && canBanNamespaces()) args.push("--unshare-user", "--disable-userns");
  args.push("--ro-bind", "/usr", "/usr");
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64"]) {
    if (existsSync(`/${name}`)) args.push("--symlink", `usr/${name}`, `/${name}`);
  }
  for (const name of readableEtc) args.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  args.push("--proc", "/proc", "--dev", "/dev");
  for (const path of kernelSettings) args.push("--ro-bind-try", path, path);
  for (const [path, bytes] of temporary) args.push("--size", `${bytes}`, "--tmpfs", path);
  for (const path of view.readable ?? []) args.push("--ro-bind", realpathSync(path), path);
  args.push("--bind", view.folder, insideFolder);
  for (const name of view.protected ?? []) {
    args.push("--ro-bind", join(view.folder, name), join(insideFolder, name));
  }
  // The root and /dev are memory too, and would outlive the job of a warm engine.
  args.push("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", insideFolder);
  const variables = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...view.variables };
  for (const [name, value] of Object.entries(variables)) args.push("--setenv", name, value);
  return { command: "bwrap", args: [...args, "--", inner.command, ...inner.args] };
}

/** The folder that holds the packages and code which a sandboxed Node process needs to read. */
export function projectFolder(): string {
  return dirname(dirname(dirname(import.meta.dirname)));
}
