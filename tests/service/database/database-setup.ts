import { appendFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { databaseName } from "#lib/supervisor/postgres/cluster.ts";
import { openDatabase, spawnDatabase, stopDatabase } from "#lib/supervisor/postgres/server.ts";
import { startFileServer } from "#tests/servers/files.ts";
import { freePort } from "../stack.ts";
import { copyDatabase } from "./cluster-template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of a database on a real server. Each test file creates a separate one on that server. */
    databaseUrl: string;
    /** The name of a database with this version's schema, of which each test file makes a copy. */
    databaseTemplate: string;
    /** The folder of the workers' data folders. */
    dataFolder: string;
    /** The port of a host on loopback that may be fetched from. `/drip` never ends. */
    hostPort: number;
    /** A port on which one test may start another host that may be fetched from. */
    rangePort: number;
    /** A port on which one test may start a store that files may be sent to. */
    storePort: number;
  }
}

/** Starts one real PostgreSQL for the tests that need only a database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-database-"));
  const { server, port } = await startFileServer(folder);
  await copyDatabase(folder);
  const database = await startFastDatabase(folder);
  project.provide("databaseUrl", database.url);
  project.provide("databaseTemplate", await createTemplate(database.url));
  project.provide("dataFolder", join(folder, "data"));
  project.provide("hostPort", port);
  project.provide("rangePort", await freePort());
  project.provide("storePort", await freePort());
  return async () => {
    await database.stop();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/**
 * Starts a database that does not wait for the disk, and does not clean up: no data of a test has to outlive a failure
 * of the machine, or the test.
 */
async function startFastDatabase(folder: string) {
  const opened = await openDatabase(folder);
  const settings = ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"];
  const lines = settings.map((name) => `${name} = off\n`);
  appendFileSync(join(opened.cluster.folder, "postgresql.conf"), lines.join(""));
  const started = spawnDatabase(opened);
  await started.ready;
  return { url: opened.url, stop: () => stopDatabase(started) };
}

async function createTemplate(server: string): Promise<string> {
  const name = "template_migrated";
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  // Of the database that this connection has opened, and no other may have.
  await admin.unsafe(`create database ${name} template ${databaseName}`);
  await admin.end();
  return name;
}
