import { migrateDatabase } from "#lib/db/migrate.ts";
import { migrateQueue } from "#lib/queue/embedded.ts";
import { usesInngest } from "#lib/queue/index.ts";

/** Migrates the database at `url`: our tables, and those of the embedded queue if it is used. */
export async function migrate(url: string): Promise<void> {
  await migrateDatabase(url);
  if (!usesInngest) await migrateQueue(url);
}
