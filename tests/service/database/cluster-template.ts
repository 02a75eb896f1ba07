import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
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
  const template = join(tmpdir(), `mediamill-cluster-${schemaVersion()}`);
  if (!existsSync(template)) await createTemplate(template);
  // With the owner, who is another user than root.
  for (const path of [join(template, "postgres"), passwordFile(template)])
    execFileSync("cp", ["-a", path, dataDir]);
}

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
}
