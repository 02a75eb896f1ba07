import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateDatabase, migrationsFolder } from "#lib/db/migrate.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { passwordFile } from "#lib/supervisor/postgres/cluster.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";

/**
 * Puts an embedded database with this version's schema and no account into a data folder, which has none yet.
 * To create and migrate one takes 3 seconds of CPU time, so the services and suites of the tests copy the first of a run.
 */
export async function copyDatabase(dataDir: string): Promise<void> {
  // Of this day: a new database has partitions for the days around it.
  const template = join(tmpdir(), `${prefix}${dayAt(0)}-${schemaVersion()}`);
  if (!existsSync(template)) await createTemplate(template);
  // With the owner, who is another user than root.
  for (const path of [join(template, "postgres"), passwordFile(template)])
    execFileSync("cp", ["-a", path, dataDir]);
}

const prefix = "mediamill-cluster-";

/** `days`: from today, in UTC. */
const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Changes with each migration, and with the version of PostgreSQL. */
function schemaVersion(): string {
  const hash = createHash("sha256").update(readFileSync(join(projectFolder, "package.json")));
  for (const name of readdirSync(migrationsFolder).sort()) {
    if (name.endsWith(".sql")) hash.update(readFileSync(join(migrationsFolder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

async function createTemplate(template: string): Promise<void> {
  const draft = mkdtempSync(`${template}-`);
  const database = await startDatabase(draft);
  await migrateDatabase(database.url);
  await database.stop();
  try {
    renameSync(draft, template);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(template)) throw error;
    rmSync(draft, { recursive: true });
  }
  removeOld();
}

/** Removes the templates of earlier days. One of yesterday may be in use by a run that began before midnight. */
function removeOld(): void {
  const isOld = (name: string) =>
    /^mediamill-cluster-\d{4}-\d\d-\d\d-/.test(name) && name < `${prefix}${dayAt(-1)}`;
  for (const name of readdirSync(tmpdir()).filter(isOld)) {
    const path = join(tmpdir(), name);
    if (statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(path, { recursive: true, force: true });
  }
}
