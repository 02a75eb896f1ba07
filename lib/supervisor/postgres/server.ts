import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync } from "node:fs";
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
import { choosePort } from "./port.ts";
import { stopStaleProcesses } from "./stale-processes.ts";

/** The embedded PostgreSQL: a real server on loopback, for one data folder. */
export interface Database {
  readonly cluster: Cluster;
  readonly port: number;
  /** The URL `postgres://…`, which is the same after every restart of the server. */
  readonly url: string;
  /** The server's Unix socket, which costs less than TCP; undefined if this process cannot use one. */
  readonly socket: string | undefined;
}

export interface RunningDatabase extends Database {
  readonly pid: number;
  /** Ends every session and shuts the server down cleanly. */
  stop(): Promise<void>;
}

/** A started server that may not accept connections yet. */
export interface DatabaseProcess {
  readonly child: ChildProcessByStdio<null, null, Readable>;
  /** Resolves when it accepts connections. Rejects with its last log lines if it ends before that. */
  readonly ready: Promise<void>;
}

/**
 * A time that is longer than a checkpoint of a busy cluster takes. After it, the server gets
 * SIGQUIT, an immediate shutdown.
 */
const stopTimeoutMs = 15_000;

/** The caller must hold the lock on `dataDir`, an existing folder. */
export async function openDatabase(dataDir: string): Promise<Database> {
  mkdirSync(join(dataDir, "run"), { recursive: true });
  const cluster = openCluster(dataDir, findBinaries());
  await stopStaleProcesses(cluster.folder);
  const port = await choosePort(dataDir);
  const socket = usableSocket(cluster.folder, port);
  return { cluster, port, url: databaseUrl(cluster.password, port), socket };
}

/** The longest path of a Unix socket on all systems. */
const maxSocketPathBytes = 103;

/** The socket in the cluster's folder, which only its owner and root may enter. */
function usableSocket(folder: string, port: number): string | undefined {
  const path = join(folder, `.s.PGSQL.${port}`);
  if (Buffer.byteLength(path) > maxSocketPathBytes) return undefined;
  try {
    accessSync(folder, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

export function databaseUrl(password: string, port: number): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Starts the server. `onLog` is called with each line of its log. */
export function spawnDatabase(
  { cluster, port, socket }: Database,
  onLog: (line: string) => void = () => {},
): DatabaseProcess {
  const { launcher, binaries, folder } = cluster;
  const [command = "", ...args] = [...launcher.prefix, binaries.postgres, "-D", folder];
  const folders = { unix_socket_directories: socket ? folder : "" };
  for (const [name, value] of Object.entries({ ...settings, ...folders, port }))
    args.push("-c", `${name}=${value}`);
  // A separate process group: Ctrl-C must not stop the database before the services that use it.
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: programEnvironment,
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => {}); // The code that awaits it reports the error.
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lastLines.push(line);
    if (lastLines.length > 10) lastLines.shift();
    onLog(line);
    if (line.includes("database system is ready to accept connections")) resolve();
  });
  child.on("error", reject);
  child.on("close", () => reject(new Error(`PostgreSQL did not start: ${lastLines.join(" ")}`)));
  return { child, ready };
}

const settings = {
  listen_addresses: "127.0.0.1",
  max_connections: 200,
  shared_buffers: "128MB",
  // Our queries are small, and a parallel query needs more /dev/shm than a container has.
  max_parallel_workers_per_gather: 0,
  // "log": server events only. Failed statements contain data and must not be logged.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_line_prefix: "",
  log_timezone: "UTC",
  timezone: "UTC",
} as const;

/** Stops the server and waits for its end. */
export async function stopDatabase({ child }: Pick<DatabaseProcess, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), stopTimeoutMs);
  await exit;
  clearTimeout(timer);
}

/** Opens and starts the database and waits until it is ready: for a single command or a test. */
export async function startDatabase(dataDir: string): Promise<RunningDatabase> {
  const database = await openDatabase(dataDir);
  const started = spawnDatabase(database);
  await started.ready;
  return { ...database, pid: started.child.pid ?? 0, stop: () => stopDatabase(started) };
}
