import type { LogCollector } from "../logs/log-collector.ts";
import { type Database, spawnDatabase } from "../postgres/server.ts";
import { stopStaleProcesses } from "../postgres/stale-processes.ts";
import type { LaunchedService } from "./supervised-service.ts";

/** Starts the embedded database as a service. Its log is at debug level, except for fatal errors. */
export async function launchPostgres(
  database: Database,
  log: LogCollector,
): Promise<LaunchedService> {
  await stopStaleProcesses(database.cluster.folder);
  return spawnDatabase(database, (line) => {
    const level = /^(FATAL|PANIC):/.test(line) && !isShutdownNotice(line) ? "warn" : "debug";
    log.write({ level, service: "postgres", line });
  });
}

/** What the server reports to every session when it stops, or restarts after a crash. */
function isShutdownNotice(line: string): boolean {
  return line.includes("administrator command") || line.includes("the database system is");
}
