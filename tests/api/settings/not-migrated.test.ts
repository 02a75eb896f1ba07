import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { freePort, until } from "#tests/service/stack.ts";

/** The web service on an empty database, as on a host that runs no migration before it. */

let folder: string;
let database: Awaited<ReturnType<typeof startDatabase>>;
let web: ChildProcess;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-not-migrated-"));
  database = await startDatabase(folder);
  const port = await freePort();
  url = `http://localhost:${port}`;
  web = spawn(process.execPath, [...fastStart, "scripts/web.ts"], {
    cwd: projectFolder,
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SECRET: "a secret for tests only",
      PORT: String(port),
      LOG_LEVEL: "fatal",
    },
    stdio: "ignore",
  });
  const isAlive = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isAlive, 60_000);
});

afterAll(async () => {
  web.kill("SIGTERM");
  await once(web, "exit");
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

it("GET /readyz says before the first migration that the database is not migrated", async () => {
  const readiness = await fetch(`${url}/readyz`);
  expect([readiness.status, readiness.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await readiness.json()).toEqual({
    status: "unavailable",
    database: "not migrated",
    storage: "ok",
    media_runner: "missing",
    held_slots: 0,
  });
  await migrateDatabase(database.url);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
    database: "ok",
    media_runner: "missing",
  });
});
