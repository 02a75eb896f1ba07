import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { migrationsFolder } from "#lib/db/migrate.ts";
import type { UsedColumns } from "./check-schema.ts";

const readJson = (...path: string[]): unknown =>
  JSON.parse(readFileSync(join(migrationsFolder, ...path), "utf8"));

const journal = z
  .object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })
  .transform(({ entries }) => entries);

/** A migration: the name of its file without `.sql`, and its time, by which Drizzle orders them. */
export type Migration = z.infer<typeof journal>[number];

/** All migrations, in order. */
export const migrations: readonly Migration[] = journal.parse(readJson("meta", "_journal.json"));

/** The last migration of the last release, which `drizzle/release.json` names. A release changes it. */
export const lastReleased = findReleased();

/** The migrations since the last release. */
export const newMigrations = migrations.slice(migrations.indexOf(lastReleased) + 1);

/** The SQL of a migration. */
export function readMigration({ tag }: Migration): string {
  return readFileSync(join(migrationsFolder, `${tag}.sql`), "utf8");
}

/** The functions that migrations since the last release have created. */
export function listNewFunctions(): string[] {
  return newMigrations.flatMap((migration) =>
    [...readMigration(migration).matchAll(/\bCREATE FUNCTION "(\w+)"/g)].map(
      ([, name = ""]) => name,
    ),
  );
}

/** The columns that the code of the last release uses, as drizzle-kit recorded them. */
export function readReleasedColumns(): UsedColumns {
  const table = z.object({ name: z.string(), columns: z.record(z.string(), z.unknown()) });
  const name = `${lastReleased.tag.slice(0, 4)}_snapshot.json`;
  const { tables } = z
    .object({ tables: z.record(z.string(), table) })
    .parse(readJson("meta", name));
  const all = Object.values(tables);
  return Object.fromEntries(all.map(({ name, columns }) => [name, Object.keys(columns)]));
}

function findReleased(): Migration {
  const { migration } = z.object({ migration: z.string() }).parse(readJson("release.json"));
  const found = migrations.find(({ tag }) => tag === migration);
  if (!found) throw new Error(`drizzle/release.json: there is no migration ${migration}`);
  return found;
}
