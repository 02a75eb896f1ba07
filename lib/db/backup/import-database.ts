import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import postgres from "postgres";
import { sessionOptions } from "../connection.ts";
import { migrateDatabase } from "../migrate.ts";
import { type BackupTable, copyTarget } from "./tables.ts";

/** Takes the rows of a backup, in one transaction. */
export interface DatabaseImport {
  /** Writes rows of a table in PostgreSQL's text format. All rows of a table come before those of the next. */
  write(table: BackupTable, rows: Buffer): Promise<void>;
  /** Whether the job or the upload exists that a stored file belongs to. All rows must have been written. */
  hasOwner(key: string): Promise<boolean>;
  /** Resolves when all rows are in the database. Throws if PostgreSQL rejects them. */
  finish(): Promise<void>;
}

/** Whether the database at `url` has no rows in any table. */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  const sql = postgres(url, { ...sessionOptions(), fetch_types: true });
  try {
    const tables = await sql<
      { name: string }[]
    >`select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`;
    for (const { name } of tables) {
      const rows = await sql.unsafe(`select 1 from ${name} limit 1`);
      if (rows.length > 0) return false;
    }
    return true;
  } finally {
    await sql.end();
  }
}

/**
 * Gives the empty database at `url` the schema of the migration of the time `migration`, calls `work` to fill it,
 * and migrates it to this version. If `work` fails, the database stays empty.
 */
export async function importDatabase(
  url: string,
  migration: number,
  work: (database: DatabaseImport) => Promise<void>,
): Promise<void> {
  await migrateDatabase(url, { through: migration });
  const sql = postgres(url, { ...sessionOptions(), fetch_types: true });
  try {
    await sql.begin(async (tx) => {
      const rows = new RowWriter(tx);
      try {
        await work(rows);
        await rows.finish();
      } catch (error) {
        rows.cancel();
        throw error;
      }
      // No runner holds them any more: they run again at once, and not when their leases end.
      await tx`update jobs set lease_expires_at = now() where lease_token is not null`;
    });
  } finally {
    await sql.end();
  }
  await migrateDatabase(url);
}

/** The tables whose ids are the second part of the keys of stored files, by the first part. */
const fileOwners: Readonly<Record<string, string>> = {
  inputs: "jobs",
  outputs: "jobs",
  uploads: "uploads",
};

class RowWriter implements DatabaseImport {
  readonly #tx: postgres.TransactionSql;
  #table = "";
  #stream: Writable | undefined;
  #error: unknown;

  constructor(tx: postgres.TransactionSql) {
    this.#tx = tx;
  }

  async write(table: BackupTable, rows: Buffer): Promise<void> {
    if (this.#table !== table.name) {
      await this.finish();
      const stream = await this.#tx.unsafe(`copy ${copyTarget(table)} from stdin`).writable();
      stream.on("error", (error) => {
        this.#error ??= error;
      });
      this.#table = table.name;
      this.#stream = stream;
    }
    const stream = this.#stream;
    const written = new Promise((resolve) => stream?.write(rows, resolve));
    await written;
    if (this.#error) throw this.#error;
  }

  async hasOwner(key: string): Promise<boolean> {
    const [folder = "", id = ""] = key.split("/");
    const table = fileOwners[folder];
    if (!table) return true;
    await this.finish();
    const rows = await this.#tx.unsafe(`select 1 from ${table} where id = $1`, [id]);
    return rows.length > 0;
  }

  async finish(): Promise<void> {
    const stream = this.#stream;
    this.#table = "";
    this.#stream = undefined;
    if (!stream) return;
    stream.end();
    // The end is sent in the next tick. postgres.js does not report whether PostgreSQL accepts the rows then, but
    // no statement succeeds in a transaction in which one has failed.
    await setImmediate();
    await this.#tx`select 1`;
  }

  /** Ends the COPY, so that the transaction can be rolled back. */
  cancel(): void {
    this.#stream?.destroy(new Error("the restore failed"));
  }
}
