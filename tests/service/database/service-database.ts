import postgres from "postgres";
import { inject } from "vitest";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";

/** Calls `work` with a connection to the database of the service under test, or of that with `dataDir`. */
export async function withServiceDatabase<Result>(
  work: (sql: postgres.Sql) => Promise<Result>,
  dataDir = inject("service").dataDir,
): Promise<Result> {
  const url = await findRunningDatabase(dataDir);
  if (!url) throw new Error("the service's database does not respond");
  const sql = postgres(url, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
