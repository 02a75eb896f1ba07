import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { passwordFile } from "../postgres/cluster.ts";
import { portFile } from "../postgres/port.ts";
import { databaseUrl, openDatabase, spawnDatabase, stopDatabase } from "../postgres/server.ts";
import { lockDataFolder } from "../start/data-folder.ts";
import { StartError } from "../start/start-error.ts";

/** How long a starting service may take until its database accepts connections. */
const defaultTimeoutMs = 60_000;

/**
 * Calls `ifRunning` with the URL of the running service's embedded database. If the service is stopped,
 * starts the database, calls `ifStopped` with its URL and stops it again. Throws `StartError` after `timeoutMs`.
 */
export async function withDatabase<Result>(
  dataDir: string,
  { ifRunning, ifStopped }: Record<"ifRunning" | "ifStopped", (url: string) => Promise<Result>>,
  timeoutMs = defaultTimeoutMs,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const folder = lockDataFolder(dataDir, "admin");
    if (!("holder" in folder)) {
      try {
        return await withTemporaryDatabase(dataDir, ifStopped);
      } finally {
        folder.release();
      }
    }
    const url = folder.holder === "service" ? await findRunningDatabase(dataDir) : undefined;
    if (url) return ifRunning(url);
    if (Date.now() >= deadline) throw new StartError(explainHolder(dataDir, folder.holder));
    await wait(100);
  }
}

/** Why there is no database: its service has yet to build the web app or to start it, or another command uses it. */
function explainHolder(dataDir: string, holder: "service" | "admin"): string {
  return holder === "service"
    ? `The service in ${dataDir} is starting, and its database does not respond yet. Try again when the service has printed its URL.`
    : `Another command uses the database in ${dataDir}. Try again when it has ended.`;
}

/** The URL of the running service's database in this data folder; undefined if none responds. */
export async function findRunningDatabase(dataDir: string): Promise<string | undefined> {
  const files = [passwordFile(dataDir), portFile(dataDir), join(dataDir, "run", "postgres.pid")];
  if (!files.every((file) => existsSync(file))) return undefined;
  const [password = "", port] = files.map((file) => readFileSync(file, "utf8").trim());
  return (await acceptsConnections(Number(port))) ? databaseUrl(password, Number(port)) : undefined;
}

async function withTemporaryDatabase<Result>(
  dataDir: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(dataDir);
  const server = spawnDatabase(database);
  try {
    await server.ready;
    return await work(database.url);
  } finally {
    await stopDatabase(server);
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
