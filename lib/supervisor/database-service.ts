import type { Log } from "./log.ts";
import { type Database, spawnDatabase } from "./postgres/server.ts";
import { stopLeftovers } from "./postgres/stale-processes.ts";
import type { LaunchedPart } from "./supervised-service.ts";

/** Starts the embedded database as a part. Its own log is of interest when something is wrong with it. */
export async function launchDatabasePart(database: Database, log: Log): Promise<LaunchedPart> {
  await stopLeftovers(database.cluster.folder);
  return spawnDatabase(database, (line) => {
    const level = /^(FATAL|PANIC):/.test(line) && !isGoodbye(line) ? "warn" : "debug";
    log.line({ level, part: "postgres", line });
  });
}

/** What every session is told when the server stops, or starts after a crash. */
function isGoodbye(line: string): boolean {
  return line.includes("administrator command") || line.includes("the database system is");
}
