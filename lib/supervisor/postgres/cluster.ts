import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PostgresBinaries } from "./binaries.ts";
import { findLauncher, type Launcher } from "./owner.ts";

/** Owner of the database. Not a superuser, so that a stolen URL gives no access to the machine's files. */
export const databaseUser = "mediamill";
export const databaseName = "mediamill";

/** The file with the database user's password. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, "postgres-password");
}

/** An initialized cluster on disk. */
export interface Cluster {
  /** An absolute path. */
  readonly folder: string;
  readonly password: string;
  readonly launcher: Launcher;
  readonly binaries: PostgresBinaries;
}

/** The environment of PostgreSQL's programs. Not ours: variables such as `PGDATA` would change their behavior. */
export const programEnvironment = {
  NODE_ENV: "production" as const,
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Opens the cluster in `dataDir`, an existing folder. The first call creates it (half a second). */
export function openCluster(dataDir: string, binaries: PostgresBinaries): Cluster {
  const folder = join(dataDir, "postgres");
  const secret = passwordFile(dataDir);
  if (!existsSync(join(folder, "PG_VERSION"))) createCluster(folder, secret, binaries);
  checkVersion(folder, binaries);
  const launcher = findLauncher(binaries, folder);
  const cluster = { folder, password: "", launcher, binaries };
  if (!existsSync(secret)) {
    const password = writePassword(secret);
    runSql(cluster, `ALTER ROLE ${databaseUser} PASSWORD '${password}';`);
  }
  return { ...cluster, password: readFileSync(secret, "utf8").trim() };
}

/** Creates the cluster under a temporary name, then renames it. So a crash leaves no incomplete cluster. */
function createCluster(folder: string, secret: string, binaries: PostgresBinaries): void {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const launcher = findLauncher(binaries, draft);
  const adminPassword = `${draft}/admin-password`;
  const target = join(draft, "cluster");
  mkdirSync(target, { mode: 0o700 });
  // The superuser's password is not kept: superuser work is done in single-user mode.
  writeFileSync(adminPassword, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (launcher.owner) {
    chownSync(target, launcher.owner.uid, launcher.owner.gid);
    chownSync(adminPassword, launcher.owner.uid, launcher.owner.gid);
  }
  const locale = [
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const access = ["--auth=scram-sha-256", "--username=postgres", `--pwfile=${adminPassword}`];
  check(run(launcher, [binaries.initdb, `--pgdata=${target}`, ...access, ...locale]), "initdb");
  const password = writePassword(secret);
  runSql(
    { folder: target, password, launcher, binaries },
    `CREATE ROLE ${databaseUser} LOGIN CREATEDB PASSWORD '${password}';\n` +
      `CREATE DATABASE ${databaseName} OWNER ${databaseUser};`,
  );
  renameSync(target, folder);
  rmSync(draft, { recursive: true });
}

function checkVersion(folder: string, { postgres }: PostgresBinaries): void {
  const cluster = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  const program = spawnSync(postgres, ["--version"], { encoding: "utf8" }).stdout.match(
    /(\d+)\./,
  )?.[1];
  if (program === cluster) return;
  throw new Error(
    `The database in ${folder} was created by PostgreSQL ${cluster}, but this is PostgreSQL ${program}: dump it with version ${cluster} and restore it`,
  );
}

function writePassword(path: string): string {
  const password = randomBytes(24).toString("base64url");
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return password;
}

/** Runs SQL as superuser in single-user mode: one statement per line, no connection, no password. */
function runSql({ folder, launcher, binaries }: Cluster, sql: string): void {
  const result = run(
    launcher,
    [binaries.postgres, "--single", "-j", "-D", folder, "postgres"],
    `${sql.replaceAll(";\n", ";\n\n")}\n\n`,
  );
  check(result, "postgres --single");
  if (/^(ERROR|FATAL|PANIC):/m.test(result.stderr)) throw failure(result, "postgres --single");
}

function run(launcher: Launcher, words: readonly string[], input = ""): SpawnSyncReturns<string> {
  const [command = "", ...args] = [...launcher.prefix, ...words];
  return spawnSync(command, args, { encoding: "utf8", input, env: programEnvironment });
}

function check(result: SpawnSyncReturns<string>, program: string): void {
  if (result.status !== 0) throw failure(result, program);
}

/** One line with the first error of the output. The rest of it does not help, such as what initdb removes. */
function failure({ error, stderr, stdout }: SpawnSyncReturns<string>, program: string): Error {
  const output = (stderr || stdout || error?.message || "").trim();
  const [, reason = output] = /^.*\b(?:ERROR|FATAL|PANIC|error): +(.+)$/m.exec(output) ?? [];
  return new Error(`DATA_DIR: the database cannot be set up: ${program}: ${reason}`, {
    cause: error,
  });
}
