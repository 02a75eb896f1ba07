import { spawn } from "node:child_process";
import { once } from "node:events";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";
import { FaultProxy } from "#tests/servers/fault-proxy.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";
import { freePort } from "#tests/service/stack.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Runners with HEALTH_PORT, as a probe sees them. */

/** Without the engines that take longest to start: no test needs any. */
const conditions = { NODE_OPTIONS: "--conditions=mediamill-test", MEDIA_ENGINES: "av" };
let store: S3Server;
let proxy: FaultProxy;

beforeAll(async () => {
  store = await startS3Server();
  proxy = new FaultProxy(Number(new URL(store.variables.S3_ENDPOINT ?? "").port));
  await proxy.open();
});

afterAll(async () => {
  await proxy.close();
  await store.close();
});

async function probe(port: number, path: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

it("a media runner reports its storage, and logs once why it does not respond", async () => {
  await proxy.close();
  const port = await freePort();
  const variables = { ...conditions, ...store.variables, HEALTH_PORT: String(port) };
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const runner = await RunnerProcess.start({ ...variables, S3_ENDPOINT: endpoint });
  const readiness = async () => JSON.parse((await probe(port, "/readyz")).body);
  const unavailable = {
    status: "unavailable",
    database: "ok",
    storage: "unavailable",
    runner: "ok",
  };
  await waitUntil(async () => (await readiness()).runner === "ok", 30_000);
  expect(await readiness()).toEqual(unavailable);
  const { status, headers } = await probe(port, "/readyz");
  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await probe(port, "/healthz")).status).toBe(200);
  await proxy.open();
  await waitUntil(async () => (await probe(port, "/readyz")).status === 200, 30_000);
  expect(await readiness()).toEqual({ ...unavailable, status: "ready", storage: "ok" });
  const lines = runner.log.split("\n").filter((line) => line.includes("storage does not respond"));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "warn",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
  expect(await runner.stop()).toBe(0);
});

it("npm run runner -- webhooks answers probes, needs no storage, and stops", async () => {
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/run.mjs", "runner", "webhooks"], {
    cwd: projectFolder,
    env: { ...process.env, ...store.variables, HEALTH_PORT: String(port) },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const isReady = () =>
    probe(port, "/readyz").then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntil(isReady, 30_000);
  const readiness = await probe(port, "/readyz?from=probe");
  expect(JSON.parse(readiness.body)).toEqual({ status: "ready", database: "ok", runner: "ok" });
  expect(await probe(port, "/readyz", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  expect(await probe(port, "/readyz", { method: "POST" })).toMatchObject({ status: 405 });
  expect(await probe(port, "/metrics")).toMatchObject({ status: 404 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("a runner whose port is in use says so in one line and does not start", async () => {
  const variables = { HEALTH_PORT: String(proxy.port) };
  await expect(RunnerProcess.start(variables, "webhooks")).rejects.toThrow(
    new RegExp(`HEALTH_PORT: port ${proxy.port} cannot be used: listen EADDRINUSE[^\\n]*\\n?$`),
  );
});

it("a database without a migration of this version is not migrated", async () => {
  const { readDatabaseState } = await import("#lib/db/database-state.ts");
  expect(await readDatabaseState()).toBe("ok");
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  await sql`delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
  expect(await readDatabaseState()).toBe("not migrated");
  await sql`drop schema drizzle cascade`;
  expect(await readDatabaseState()).toBe("not migrated");
  await sql.end();
});
