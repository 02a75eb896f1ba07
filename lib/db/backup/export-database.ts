import postgres from "postgres";
import { sessionOptions } from "../connection.ts";
import { type BackupTable, copySource, listTables } from "./tables.ts";

/** The state of a database at one point in time, as long as `exportDatabase` calls `work`. */
export interface DatabaseSnapshot {
  /** The time of the last migration, which identifies the schema. */
  readonly migration: number;
  readonly tables: readonly BackupTable[];
  /** The ids of jobs that have not ended. */
  readonly unfinishedJobs: readonly string[];
  /** The rows of a table in PostgreSQL's text format, in pieces of any length. */
  read(table: BackupTable): AsyncIterable<Buffer>;
}

/** Calls `work` with one snapshot of the database at `url`, while other processes write to it. */
export async function exportDatabase(
  url: string,
  work: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<void> {
  const sql = postgres(url, { ...sessionOptions(), fetch_types: true });
  try {
    await sql.begin("isolation level repeatable read read only", async (tx) => {
      const [last] = await tx<{ migration: number | null }[]>`
        select max(created_at)::float8 as migration from drizzle.__drizzle_migrations`;
      if (last?.migration == null) throw new Error("the database has no schema of this service");
      const jobs = await tx<{ id: string }[]>`
        select id from jobs where status in ('pending', 'processing')`;
      await work({
        migration: last.migration,
        tables: await listTables(tx),
        unfinishedJobs: jobs.map(({ id }) => id),
        read: (table) => readTable(tx, table),
      });
    });
  } finally {
    await sql.end();
  }
}

async function* readTable(tx: postgres.TransactionSql, table: BackupTable): AsyncIterable<Buffer> {
  yield* await tx.unsafe(`copy ${copySource(table)} to stdout`).readable();
}
