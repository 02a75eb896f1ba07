import { migrateDatabase } from "#lib/db/migrate.ts";
import { migrateQueue } from "#lib/queue/embedded.ts";
import { usesInngest } from "#lib/queue/index.ts";

/** Brings the database at `url` up to date: our tables, and those of the embedded queue where it is used. */
export async function migrate(url: string): Promise<void> {
  await migrateDatabase(url);
  if (!usesInngest) await migrateQueue(url);
}
