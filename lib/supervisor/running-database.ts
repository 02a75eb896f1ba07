import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { claimDataFolder } from "./data-folder.ts";
import { passwordFile } from "./postgres/cluster.ts";
import { portFile } from "./postgres/port.ts";
import { databaseAddress, openDatabase, spawnDatabase, stopDatabase } from "./postgres/server.ts";
import { StartError } from "./start-error.ts";

/** How long a service that is just starting may take until its database answers. */
const patienceMs = 60_000;

/**
 * Calls `ifRunning` with the address of the running service's embedded database, or `ifStopped` with
 * that of one that is started for the call and stopped after it.
 */
export async function withDatabase<Result>(
  dataDir: string,
  { ifRunning, ifStopped }: Record<"ifRunning" | "ifStopped", (url: string) => Promise<Result>>,
): Promise<Result> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const folder = claimDataFolder(dataDir, "admin");
    if (!("holder" in folder)) {
      try {
        return await withOwnDatabase(dataDir, ifStopped);
      } finally {
        folder.release();
      }
    }
    const url = folder.holder === "service" ? await findRunningDatabase(dataDir) : undefined;
    if (url) return ifRunning(url);
    await wait(100);
  }
  throw new StartError(`The database in ${dataDir} is in use and does not answer`);
}

/** The address of the database that a running service keeps in the folder; undefined if none answers. */
export async function findRunningDatabase(dataDir: string): Promise<string | undefined> {
  const files = [passwordFile(dataDir), portFile(dataDir), join(dataDir, "run", "postgres.pid")];
  if (!files.every((file) => existsSync(file))) return undefined;
  const [password = "", port] = files.map((file) => readFileSync(file, "utf8").trim());
  return (await answers(Number(port))) ? databaseAddress(password, Number(port)) : undefined;
}

async function withOwnDatabase<Result>(
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

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
