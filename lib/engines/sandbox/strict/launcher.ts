import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findFontCache } from "../view/fonts.ts";
import { readableEtc, type SandboxedCommand, type SandboxView } from "../view/sandbox-view.ts";

/** The arguments of `launch.pl`, which define what a process can access at the level `strict`. */

export interface LaunchOptions {
  /** The descriptor from which the launcher reads the filter of system calls. */
  readonly filter: number;
  /** The private folder of the process for temporary files; absolute. */
  readonly scratch: string;
  /** The id of the process that starts the launcher, with which the command ends. */
  readonly parent: number;
  /** The newest version of Landlock's interface to use. */
  readonly abi?: number;
}

/** The newest version of Landlock's interface that the launcher knows; Linux 6.12 and later have it. */
const newestAbi = 6;

const programs = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

const devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/**
 * What engines read about the machine and themselves. Other processes have entries of their own, which stay
 * closed, and so do those of the processes that an engine starts.
 */
const processFiles = [
  "self",
  "cpuinfo",
  "meminfo",
  "stat",
  "filesystems",
  "sys/vm/overcommit_memory",
  "sys/kernel/osrelease",
  "sys/kernel/random/uuid",
].map((name) => `/proc/${name}`);

/** The command that restricts itself to `view`, then executes `inner`. */
export function launchStrict(
  inner: SandboxedCommand,
  view: SandboxView,
  { filter, scratch, parent, abi = newestAbi }: LaunchOptions,
): SandboxedCommand {
  const { folder, writable, connection } = view;
  const paths = listPrograms(view.hidden ?? []);
  for (const name of readableEtc) paths.push(`read:/etc/${name}`);
  const fontCache = findFontCache();
  if (fontCache) paths.push(`read:${fontCache}`);
  for (const path of processFiles) paths.push(`read:${path}`);
  for (const path of devices) paths.push(`write:${path}`);
  for (const path of view.devices ?? []) paths.push(`device:${path}`);
  // Programs of the project may be outside of /usr: Node itself, and modules in machine code.
  for (const path of view.readable ?? []) paths.push(`run:${path}`);
  paths.push(`${writable ? "read" : "scratch"}:${folder}`);
  for (const path of [scratch, ...(view.scratch ?? [])]) paths.push(`scratch:${path}`);
  for (const name of writable ?? []) paths.push(`write:${join(folder, name)}`);
  // LibreOffice creates its socket in /tmp, regardless of the environment.
  if (connection?.family === "unix") paths.push(`bind:${dirname(connection.socket)}`);
  const launcher = join(import.meta.dirname, "launch.pl");
  const settings = [process.arch, filter, parent, abi].map(String);
  const { family = "none", socket = "" } = connection ?? {};
  const args = [launcher, ...settings, family, socket, ...paths, "--"];
  return { command: "perl", args: [...args, inner.command, ...inner.args] };
}

/** The programs and libraries of the system, without the files `hidden` among them. */
function listPrograms(hidden: readonly string[]): string[] {
  return programs.flatMap((path) => (isFolder(path) ? listWithout(path, hidden) : []));
}

/**
 * Whether the path is a folder: false for links such as /lib to usr/lib, whose target is in the
 * list itself.
 */
function isFolder(path: string): boolean {
  return existsSync(path) && lstatSync(path).isDirectory();
}

/** Rules only add access, so a folder with a hidden file is listed, and its other entries are allowed. */
function listWithout(path: string, hidden: readonly string[]): string[] {
  if (hidden.includes(path)) return [];
  if (!hidden.some((file) => file.startsWith(`${path}/`))) return [`run:${path}`];
  const entries = readdirSync(path).map((name) => join(path, name));
  return [`list:${path}`, ...entries.flatMap((entry) => listWithout(entry, hidden))];
}
