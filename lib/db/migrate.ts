import { setTimeout as wait } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { isLockTimeout } from "./errors.ts";

/** The folder of the migrations, made by drizzle-kit. */
export const migrationsFolder = `${import.meta.dirname}/../../drizzle`;

/**
 * Migrates the database at `url` to this version's schema, or only through the migration of the time `through`.
 * Can be run again, by several processes at once, and while services of the previous version work. Resolves with
 * whether the database was new.
 */
export async function migrateDatabase(
  url: string,
  { through = Number.POSITIVE_INFINITY }: { readonly through?: number } = {},
): Promise<boolean> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await lockMigrations(sql);
    await sql`create schema if not exists drizzle`;
    await sql`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`;
    const [known] = await sql`select 1 from drizzle.__drizzle_migrations limit 1`;
    for (const migration of readMigrationFiles({ migrationsFolder })) {
      if (migration.folderMillis > through || (await isApplied(sql, migration))) continue;
      if (isConcurrent(migration.sql)) await buildIndexes(sql, migration);
      else await applyTogether(sql, migration);
    }
    return known === undefined;
  } finally {
    await sql.end();
  }
}

/** A connection or a transaction on it. */
type Connection = postgres.Sql | postgres.TransactionSql;

/** Keys of advisory locks. `onlyMigrator` ends with its connection, `schemaChange` with its transaction. */
const locks = { onlyMigrator: 0x6d6d6d68, schemaChange: 0x6d6d6d67 };

/**
 * Waits until no other process migrates. Asks again and again, because a statement that waits for a lock
 * has a snapshot, and an index that is built concurrently waits for all older snapshots.
 */
async function lockMigrations(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql`select pg_try_advisory_lock(${locks.onlyMigrator}) as locked`;
    if (row?.locked) return;
    await wait(100);
  }
}

async function isApplied(sql: Connection, { folderMillis }: MigrationMeta): Promise<boolean> {
  const rows = await sql`select 1 from drizzle.__drizzle_migrations
    where created_at >= ${folderMillis} limit 1`;
  return rows.length > 0;
}

/** How often a change is tried again that would have to wait for longer than `lockTimeout`. */
const maxAttempts = 60;

/** While a change waits for a table, all later statements on the table wait for the change. */
const lockTimeout = "2s";

/** Applies a migration in one transaction. */
async function applyTogether(sql: postgres.Sql, migration: MigrationMeta): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        // Versions before this one hold this lock while they migrate.
        await tx`select pg_advisory_xact_lock(${locks.schemaChange})`;
        if (await isApplied(tx, migration)) return;
        await tx`select set_config('lock_timeout', ${lockTimeout}, true)`;
        for (const statement of migration.sql) await tx.unsafe(statement);
        await record(tx, migration);
      });
      return;
    } catch (error) {
      // A running service had the table.
      if (!isLockTimeout(error) || attempt === maxAttempts) throw error;
      await wait(1000);
    }
  }
}

/** Whether the statements build or drop indexes without blocking writes, which no transaction can do. */
function isConcurrent(statements: readonly string[]): boolean {
  return statements.some((statement) => /\bCONCURRENTLY\b/i.test(statement));
}

/**
 * Builds and drops the indexes of a migration. If it was interrupted, the next call continues: it skips what
 * is done, and replaces an index that was left incomplete.
 */
async function buildIndexes(sql: postgres.Sql, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) {
    const { action, index } = parseIndexStatement(statement);
    const [found] = await sql`select indisvalid as valid from pg_index
      where indexrelid = to_regclass(${`"${index}"`})`;
    if (action === "CREATE" ? found?.valid : !found) continue;
    if (action === "CREATE" && found) await sql.unsafe(`DROP INDEX CONCURRENTLY "${index}"`);
    await sql.unsafe(statement);
  }
  await record(sql, migration);
}

/** Throws if the statement is another one: it could not be repeated. */
export function parseIndexStatement(statement: string): {
  readonly action: "CREATE" | "DROP";
  readonly index: string;
} {
  const withoutComments = statement.replace(/^\s*--.*$/gm, "").trim();
  const pattern =
    /^(CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"(\w+)"/i;
  const [, action = "", index] = pattern.exec(withoutComments) ?? [];
  if (!index) {
    throw new Error(
      "a migration with CONCURRENTLY has only CREATE INDEX CONCURRENTLY and DROP INDEX CONCURRENTLY",
    );
  }
  return { action: action.toUpperCase() === "CREATE" ? "CREATE" : "DROP", index };
}

/** Records a migration as Drizzle does, so that older versions see that it is applied. */
async function record(sql: Connection, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await sql`insert into drizzle.__drizzle_migrations ("hash", "created_at")
    values (${hash}, ${folderMillis})`;
}
