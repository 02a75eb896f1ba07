import { spawnSync } from "node:child_process";
import { chownSync, existsSync, statSync } from "node:fs";
import type { PostgresBinaries } from "./binaries.ts";

/** How a PostgreSQL program is started: by whom, and through which other program. */
export interface Launcher {
  /** Words before the program; empty where it is started as it is. */
  readonly prefix: readonly string[];
  /** For files that the programs are to read; undefined: our own user's. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/** PostgreSQL refuses to run as root, and initdb wants a user that has a name. */
const userName = "mediamill";

/** Asks for a fast shutdown: PostgreSQL ends in good order when the process that started it dies. */
const endWithParent = ["setpriv", "--pdeathsig", "INT"];

/**
 * The launcher for the cluster in `folder`, which must exist. As root, the programs run as the
 * folder's owner or, if that is root, as the system user `mediamill`, who is made the owner.
 */
export function findLauncher(binaries: PostgresBinaries, folder: string): Launcher {
  const linux = process.platform === "linux";
  if (process.getuid?.() !== 0)
    return { prefix: linux ? [...endWithParent, "--"] : [], owner: undefined };
  const owner = ownerOf(folder) ?? systemUser();
  chownSync(folder, owner.uid, owner.gid);
  for (const capability of waysIn) {
    const prefix = [...asUser(owner, capability), "--"];
    if (canReach(prefix, binaries.postgres, folder)) return { prefix, owner };
  }
  throw new Error(`User ${owner.uid} cannot be given access to ${folder}: set DATABASE_URL`);
}

/**
 * Where the project lies in a folder that only root may enter (/root itself, most often), the
 * programs get the right to pass through it; a container that lacks the narrower right has the wider.
 */
const waysIn = [undefined, "+dac_read_search", "+dac_override"] as const;

function asUser({ uid, gid }: { uid: number; gid: number }, capability: string | undefined) {
  const user = ["--reuid", String(uid), "--regid", String(gid), "--clear-groups"];
  const rights = capability
    ? [
        `--inh-caps=${capability}`,
        `--ambient-caps=${capability}`,
        // access(2), by which PostgreSQL finds its own files, honours the right only with this set.
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
      `PostgreSQL must not run as root, and the user ${userName} cannot be made: useradd --system --user-group ${userName}`,
    );
  }
  return { uid, gid };
}

/** Undefined where there is no such user. */
function idOf(which: "-u" | "-g"): number | undefined {
  const { status, stdout } = spawnSync("id", [which, userName], { encoding: "utf8" });
  return status === 0 ? Number(stdout) : undefined;
}
