import { spawnSync } from "node:child_process";
import { chownSync, existsSync, statSync } from "node:fs";
import type { PostgresBinaries } from "./binaries.ts";

/** How PostgreSQL's programs are started: as which user, and with which prefix command. */
export interface Launcher {
  /** Command words before the program; empty if it is started directly. */
  readonly prefix: readonly string[];
  /** The owner of files that the programs read. Undefined: the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/** PostgreSQL does not run as root, and initdb needs a named user. */
const userName = "mediamill";

/** SIGINT is PostgreSQL's fast shutdown: the server shuts down cleanly when its parent process ends. */
const endWithParent = ["setpriv", "--pdeathsig", "INT"];

/**
 * The launcher for the cluster in `folder`, which must exist. If this process is root, the programs run
 * as the folder's owner. If that is root too, the system user `mediamill` becomes the owner.
 */
export function findLauncher(binaries: PostgresBinaries, folder: string): Launcher {
  const linux = process.platform === "linux";
  if (process.getuid?.() !== 0)
    return { prefix: linux ? [...endWithParent, "--"] : [], owner: undefined };
  const owner = ownerOf(folder) ?? systemUser();
  chownSync(folder, owner.uid, owner.gid);
  for (const capability of accessCapabilities) {
    const prefix = [...asUser(owner, capability), "--"];
    if (canReach(prefix, binaries.postgres, folder)) return { prefix, owner };
  }
  throw new Error(`User ${owner.uid} cannot be given access to ${folder}: set DATABASE_URL`);
}

/**
 * If the project is in a folder that only root may enter (usually /root), the programs get a capability
 * to traverse it. Containers may lack the narrower capability and have the wider one.
 */
const accessCapabilities = [undefined, "+dac_read_search", "+dac_override"] as const;

function asUser({ uid, gid }: { uid: number; gid: number }, capability: string | undefined) {
  const user = ["--reuid", String(uid), "--regid", String(gid), "--clear-groups"];
  const rights = capability
    ? [
        `--inh-caps=${capability}`,
        `--ambient-caps=${capability}`,
        // PostgreSQL finds its files by access(2), which respects the capability only with this bit.
        "--securebits=+no_setuid_fixup",
      ]
    : [];
  return [...endWithParent, ...user, ...rights, "--no-new-privs"];
}

function canReach(prefix: readonly string[], program: string, folder: string): boolean {
  const test = ["sh", "-c", '"$1" --version && stat "$2"', "sh", program, folder];
  const [command = "", ...args] = [...prefix, ...test];
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function ownerOf(folder: string) {
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function systemUser() {
  if (!idOf("-u")) {
    const home = ["--home-dir", "/nonexistent", "--no-create-home"];
    const program = existsSync("/usr/sbin/useradd") ? "/usr/sbin/useradd" : "useradd";
    spawnSync(program, [
      "--system",
      "--user-group",
      ...home,
      "--shell",
      "/usr/sbin/nologin",
      userName,
    ]);
  }
  const uid = idOf("-u");
  const gid = idOf("-g");
  if (!uid || !gid) {
    throw new Error(
      `PostgreSQL cannot run as root, and the user ${userName} cannot be created. Create it: useradd --system --user-group ${userName}`,
    );
  }
  return { uid, gid };
}

/** The id of the user or group; undefined if the user does not exist. */
function idOf(which: "-u" | "-g"): number | undefined {
  const { status, stdout } = spawnSync("id", [which, userName], { encoding: "utf8" });
  return status === 0 ? Number(stdout) : undefined;
}
