import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { findBinaries } from "./binaries.ts";
import {
  type Cluster,
  databaseName,
  databaseUser,
  openCluster,
  programEnvironment,
} from "./cluster.ts";
import { keepPort } from "./port.ts";
import { stopLeftovers } from "./stale-processes.ts";

/** The embedded PostgreSQL: a real server on loopback, for one data folder. */
export interface Database {
  readonly cluster: Cluster;
  readonly port: number;
  /** `postgres://…`; the same after every restart of the server. */
  readonly url: string;
}

export interface RunningDatabase extends Database {
  readonly pid: number;
  /** Ends every session and the server, everything written. */
  stop(): Promise<void>;
}

/** A server that was started and may not answer yet. */
export interface DatabaseProcess {
  readonly child: ChildProcessByStdio<null, null, Readable>;
  /** Resolves when it takes connections; rejects with its own last words if it ends before that. */
  readonly ready: Promise<void>;
}

/** Longer than a checkpoint of a busy cluster takes; after that the server is told to give up. */
const stopTimeoutMs = 15_000;

/** Whoever calls holds the lock on `dataDir`, an existing folder. */
export async function openDatabase(dataDir: string): Promise<Database> {
  mkdirSync(join(dataDir, "run"), { recursive: true });
  const cluster = openCluster(dataDir, findBinaries());
  await stopLeftovers(cluster.folder);
  const port = await keepPort(dataDir);
  return { cluster, port, url: databaseAddress(cluster.password, port) };
}

export function databaseAddress(password: string, port: number): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Starts the server; `onLog` gets each line that it writes. */
export function spawnDatabase(
  { cluster, port }: Database,
  onLog: (line: string) => void = () => {},
): DatabaseProcess {
  const { launcher, binaries, folder } = cluster;
  const [command = "", ...args] = [...launcher.prefix, binaries.postgres, "-D", folder];
  for (const [name, value] of Object.entries({ ...settings, port }))
    args.push("-c", `${name}=${value}`);
  // A group of its own: Ctrl-C in a terminal must not stop the database before those who use it.
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: programEnvironment,
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => {}); // Reported by whoever awaits it.
  const lastWords: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lastWords.push(line);
    if (lastWords.length > 10) lastWords.shift();
    onLog(line);
    if (line.includes("database system is ready to accept connections")) resolve();
  });
  child.on("error", reject);
  child.on("close", () => reject(new Error(`PostgreSQL did not start: ${lastWords.join(" ")}`)));
  return { child, ready };
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "128MB",
  // Our queries are small, and a parallel one needs more of /dev/shm than a container has.
  max_parallel_workers_per_gather: 0,
  // "log": what concerns the server, never a statement that failed, for that holds data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_line_prefix: "",
  log_timezone: "UTC",
  timezone: "UTC",
} as const;

/** Stops the server that `child` is and waits for its end. */
export async function stopDatabase({ child }: Pick<DatabaseProcess, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), stopTimeoutMs);
  await exit;
  clearTimeout(timer);
}

/** Opens, starts and waits: for a single command, or a test. */
export async function startDatabase(dataDir: string): Promise<RunningDatabase> {
  const database = await openDatabase(dataDir);
  const started = spawnDatabase(database);
  await started.ready;
  return { ...database, pid: started.child.pid ?? 0, stop: () => stopDatabase(started) };
}
