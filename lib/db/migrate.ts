import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Migrates the database at `url` to this version's schema. Can be run again, and by several processes at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await migrate(drizzle(sql), { migrationsFolder: `${import.meta.dirname}/../../drizzle` });
  } finally {
    await sql.end();
  }
}

/** Key of the advisory lock. It is released when the connection ends. */
const migrationLock = 0x6d6d6d67;
