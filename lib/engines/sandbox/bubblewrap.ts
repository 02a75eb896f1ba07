import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The arguments of bubblewrap (bwrap(1)), which define what a sandboxed process can access. */

export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a sandboxed process can access in addition to `/usr`. */
export interface SandboxView {
  /** Absolute and writable. In the sandbox it is `/job` and the working directory. */
  readonly folder: string;
  /** Existing names in `folder` that are read-only in the sandbox. */
  readonly protected?: readonly string[];
  /** Absolute paths that are readable in the sandbox under the same name. */
  readonly readable?: readonly string[];
  /** Absolute paths of devices that it may use, as far as they exist. */
  readonly devices?: readonly string[];
  /** Environment variables in addition to `PATH`, `HOME` and `LANG`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether it creates user namespaces itself, as Chromium's built-in sandbox does. */
  readonly createsUserNamespaces?: boolean;
}

/** The path of the writable folder inside the sandbox. */
export const sandboxFolder = "/job";

/** Entries of /etc that engines need: fonts, the linker cache, alternatives and settings. */
const readableEtc = [
  "fonts",
  "alternatives",
  "ld.so.cache",
  "libreoffice",
  "localtime",
  "ssl/openssl.cnf",
];

/**
 * Kernel settings of the whole machine. If the runner is root, the kernel also treats a sandboxed
 * process as root when it checks access to these files, regardless of its uid in the sandbox. The
 * process could then set a program that receives core dumps.
 */
const kernelSettings = ["sys", "sysrq-trigger", "mtrr", "pressure", "fs", "acpi", "scsi"].map(
  (name) => `/proc/${name}`,
);

/** The uid in the sandbox; outside, it is the uid of the runner. Chromium does not run as root. */
const sandboxUid = "1000";

/** Folders in the sandbox that are kept in memory, and their sizes in bytes. */
const memoryFolders = [
  ["/tmp", 2 ** 30],
  ["/dev/shm", 2 ** 26],
] as const;

let supportsDisableUserns: boolean | undefined;

/** Whether this bubblewrap can forbid further user namespaces (version 0.8 and later). */
function canDisableUserNamespaces(): boolean {
  supportsDisableUserns ??=
    spawnSync("bwrap", ["--help"]).stdout?.includes("--disable-userns") ?? false;
  return supportsDisableUserns;
}

/**
 * The bubblewrap command that runs `inner` in a separate sandbox: no network, no other processes,
 * read access to `/usr` and the paths of `view`, write access to the folder, /tmp and /dev/shm.
 */
export function wrapInSandbox(inner: SandboxedCommand, view: SandboxView): SandboxedCommand {
  const args = ["--unshare-all", "--uid", sandboxUid, "--gid", sandboxUid, "--cap-drop", "ALL"];
  args.push("--die-with-parent", "--new-session", "--hostname", "engine", "--clearenv");
  if (!view.createsUserNamespaces && canDisableUserNamespaces())
    args.push("--unshare-user", "--disable-userns");
  args.push("--ro-bind", "/usr", "/usr");
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64"]) {
    if (existsSync(`/${name}`)) args.push("--symlink", `usr/${name}`, `/${name}`);
  }
  for (const name of readableEtc) args.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  args.push("--proc", "/proc", "--dev", "/dev");
  for (const path of kernelSettings) args.push("--ro-bind-try", path, path);
  for (const [path, bytes] of memoryFolders) args.push("--size", `${bytes}`, "--tmpfs", path);
  for (const path of view.devices ?? []) args.push("--dev-bind-try", path, path);
  for (const path of view.readable ?? []) args.push("--ro-bind", realpathSync(path), path);
  args.push("--bind", view.folder, sandboxFolder);
  for (const name of view.protected ?? []) {
    args.push("--ro-bind", join(view.folder, name), join(sandboxFolder, name));
  }
  // The root and /dev are in memory too. Files there would remain after a warm engine's job.
  args.push("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", sandboxFolder);
  const variables = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...view.variables };
  for (const [name, value] of Object.entries(variables)) args.push("--setenv", name, value);
  return { command: "bwrap", args: [...args, "--", inner.command, ...inner.args] };
}

/**
 * The root folder of the project, with the code and packages that a sandboxed Node process reads.
 */
export function projectFolder(): string {
  return dirname(dirname(dirname(import.meta.dirname)));
}
