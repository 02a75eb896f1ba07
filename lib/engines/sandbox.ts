import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { env } from "#lib/env.ts";

/** `full`: bubblewrap works here. `off`: engines run as plain child processes. */
export type SandboxLevel = "full" | "off";

export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a sandboxed process may see beside `/usr` and its folder. */
export interface SandboxView {
  /** Absolute folder, writable; inside it is `/job` and the working directory. */
  readonly folder: string;
  /** Absolute paths that are readable inside under the same name. */
  readonly readable?: readonly string[];
  /** Variables beside `PATH`, `HOME`, `LANG`. */
  readonly variables?: Readonly<Record<string, string>>;
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

/** The uid inside; outside it is the runner's own. Chromium refuses to run as root. */
const innerUid = "1000";

let detected: SandboxLevel | undefined;

/**
 * The level in force, found out once: a sandboxed `cat` of a file outside its view must fail where
 * one inside must work. Throws when `SANDBOX=required` cannot be kept.
 */
export function sandboxLevel(): SandboxLevel {
  detected ??= env.SANDBOX === "off" ? "off" : detectLevel();
  if (detected === "off" && env.SANDBOX === "required") {
    throw new Error("SANDBOX=required, but bubblewrap cannot make a sandbox on this machine");
  }
  return detected;
}

function detectLevel(): SandboxLevel {
  const view = { folder: "/usr/share" };
  const tryRead = (path: string) => {
    const { command, args } = wrap({ command: "cat", args: [path] }, view);
    return spawnSync(command, args, { timeout: 5000, stdio: "ignore" }).status === 0;
  };
  return tryRead("/usr/bin/env") && !tryRead("/etc/passwd") ? "full" : "off";
}

/** `inner` as it is to be spawned at the level in force. */
export function enterSandbox(inner: SandboxedCommand, view: SandboxView): SandboxedCommand {
  return sandboxLevel() === "full" ? wrap(inner, view) : inner;
}

function wrap(inner: SandboxedCommand, view: SandboxView): SandboxedCommand {
  const args = ["--unshare-all", "--uid", innerUid, "--gid", innerUid, "--cap-drop", "ALL"];
  args.push("--die-with-parent", "--new-session", "--hostname", "engine", "--clearenv");
  args.push("--ro-bind", "/usr", "/usr");
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64"]) {
    if (existsSync(`/${name}`)) args.push("--symlink", `usr/${name}`, `/${name}`);
  }
  for (const name of readableEtc) args.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  args.push("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp");
  for (const path of view.readable ?? []) args.push("--ro-bind", realpathSync(path), path);
  args.push("--bind", view.folder, insideFolder, "--chdir", insideFolder);
  const variables = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...view.variables };
  for (const [name, value] of Object.entries(variables)) args.push("--setenv", name, value);
  return { command: "bwrap", args: [...args, "--", inner.command, ...inner.args] };
}

/** The folder that holds the packages and code which a sandboxed Node process needs to read. */
export function projectFolder(): string {
  return dirname(dirname(import.meta.dirname));
}
