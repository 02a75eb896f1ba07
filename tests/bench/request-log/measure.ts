import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchRow, makeRow } from "../report/rows.ts";

/** The CPU time per request of the log of requests, in a process of its own: it opens its own database connections. */
export async function measureRequestLog(databaseUrl: string): Promise<BenchRow> {
  const program = join(import.meta.dirname, "log-requests.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "error" },
  });
  // Printed by the program.
  const values = JSON.parse(stdout) as number[];
  return makeRow("the request log, per request", "web", "ms CPU", values, { target: { max: 0.3 } });
}
