import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { startFileServer } from "../servers/files.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of a database on a real server; test files make their own beside it. */
    databaseUrl: string;
    /** The port of a host on loopback that may be fetched from; `/drip` never ends. */
    hostPort: number;
  }
}

/** One real PostgreSQL for the tests that need no more of the service. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-database-"));
  const { server, port } = await startFileServer(folder);
  const database = await startDatabase(folder);
  project.provide("databaseUrl", database.url);
  project.provide("hostPort", port);
  return async () => {
    await database.stop();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
}
