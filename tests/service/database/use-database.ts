import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, inject } from "vitest";

/** Creates a database and a data folder for each test file, before any module reads the environment. */
const server = inject("databaseUrl");
const name = `test_${randomBytes(6).toString("hex")}`;
const admin = postgres(server, { max: 1, onnotice: () => {} });
await admin.unsafe(`create database ${name} template ${inject("databaseTemplate")}`);
await admin.end();

const folder = mkdtempSync(join(tmpdir(), "mediamill-jobs-"));
Object.assign(process.env, {
  DATABASE_URL: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  DATA_DIR: folder,
  SECRET: "a secret for tests only",
  FETCH_ALLOW: [inject("hostPort"), inject("rangePort"), inject("storePort")]
    .map((port) => `127.0.0.1:${port}`)
    .join(","),
  LOG_LEVEL: "fatal",
  STATUS_CHECKS: "off",
});

afterAll(async () => {
  const { disconnect } = await import("#lib/db/client.ts");
  await disconnect();
  const { closeSandbox } = await import("#lib/engines/sandbox/current-sandbox.ts");
  await closeSandbox();
  rmSync(folder, { recursive: true, force: true });
});
