import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { migrateDatabase, migrationsFolder } from "#lib/db/migrate.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { freePort } from "#tests/service/stack.ts";
import { lastReleased } from "./last-release.ts";
import { StatementRecorder } from "./statement-recorder.ts";

/**
 * Records the statements with which a release accepts, reads, lists and cancels jobs, into
 * `drizzle/release-statements.json`. Run it for each release, after `drizzle/release.json` was changed:
 *
 *     node tests/release/record-statements.ts [folder]
 *
 * `folder`: a checkout of the release with its packages; by default this one.
 */
const folder = resolve(process.argv[2] ?? ".");
const dataDir = await mkdtemp(join(tmpdir(), "mediamill-release-"));
const database = await startDatabase(dataDir);
await migrateDatabase(database.url, { through: lastReleased.when });
const recorder = new StatementRecorder(Number(new URL(database.url).port));
const proxy = await recorder.open();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = {
  ...process.env,
  NODE_ENV: "production" as const,
  APP_URL: url,
  DATA_DIR: join(dataDir, "data"),
  DATABASE_URL: Object.assign(new URL(database.url), { port: proxy }).href,
  SECRET: "a secret for tests only",
  SANDBOX: "off",
  LOG_LEVEL: "warn",
};

recorder.action = "account";
const words = ["account", "create", "--email", "ada@example.com", "--plan", "pro", "--json"];
const options = { cwd: folder, env, encoding: "utf8" } as const;
const program = ["scripts/admin.ts", ...words];
const { stdout } = await promisify(execFile)(process.execPath, program, options);
const headers = { "x-api-key": String(JSON.parse(stdout).api_key) };

/** Sends a request as one action, and requires its status. */
async function send(action: string, path: string, status: number, init: RequestInit = {}) {
  recorder.action = action;
  const given = { ...headers, ...Object.fromEntries(new Headers(init.headers)) };
  const response = await fetch(url + path, { ...init, headers: given });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

const json = (body: unknown, more = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...more },
  body: JSON.stringify(body),
});

const server = spawn(
  process.execPath,
  [join(import.meta.dirname, "api-server.ts"), folder, String(port)],
  { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] },
);
try {
  await once(server.stdout, "data");
  const operation = "/v1/pipeline/file-inspect";
  const input = "https://files.example/a.txt";
  const more = { metadata: { order: "7" }, webhook_url: "https://hooks.example/a" };
  const { id } = await send("create", operation, 202, json({ input, ...more }));
  const form = new FormData();
  form.set("file", new Blob(["some text"]), "a.txt");
  await send("create", operation, 202, { method: "POST", body: form });
  const repeated = json({ input }, { "idempotency-key": "once" });
  await send("create", operation, 202, repeated);
  await send("create", operation, 202, repeated);
  await send("read", `/v1/jobs/${id}`, 200);
  await send("read", "/v1/usage", 200);
  await send("list", "/v1/jobs?limit=2", 200);
  await send("list", "/v1/jobs?status=pending&metadata[order]=7", 200);
  await send("cancel", `/v1/jobs/${id}/cancel`, 200, { method: "POST" });
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  recorder.close();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// The driver reads types from the catalog, whose rows differ.
const statements = recorder.statements.filter(({ text }) => !text.includes("pg_catalog"));
const file = join(migrationsFolder, "release-statements.json");
await writeFile(file, `${JSON.stringify(statements, null, 2)}\n`);
process.stdout.write(`${statements.length} statements\n`);
