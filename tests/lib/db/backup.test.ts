import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BareService, runBareAdmin, startBareService } from "#tests/service/bare-service.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";
import { until } from "#tests/service/stack.ts";

/** A backup while jobs run, its restore, and a change of the secret, from outside. */

const photo = readFileSync(join(import.meta.dirname, "../../../public/samples/inputs/photo.jpg"));
const pdf = readFileSync(
  join(import.meta.dirname, "../../../public/samples/inputs/contract-protected.pdf"),
);
const password = "a password that must not be lost";
const folder = mkdtempSync(join(tmpdir(), "mediamill-backup-"));
const file = join(folder, "mediamill.tar");
let service: BareService;
let key = "";
let restored: Record<string, string>;
let link = "";

interface Job {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly outputs: readonly { readonly url: string }[];
}

const call = async (
  path: string,
  body?: FormData,
  headers = {},
): Promise<Job & { jobs: Job[] }> => {
  const method = body ? "POST" : "GET";
  const init = { method, headers: { "x-api-key": key, ...headers }, ...(body ? { body } : {}) };
  return (await fetch(`${service.url}${path}`, init)).json();
};

function form(bytes: Buffer, name: string, fields: Record<string, string> = {}): FormData {
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(bytes)]), name);
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  return body;
}

const currentVariables = () => ({
  DATABASE_URL: process.env.DATABASE_URL ?? "",
  DATA_DIR: process.env.DATA_DIR ?? "",
});

/** Without the engines that take longest to start: no job needs them. */
const engines = { MEDIA_ENGINES: "av" };

beforeAll(async () => {
  const created = await runBareAdmin(
    currentVariables(),
    "account",
    "create",
    "--email",
    "a@example.com",
    "--plan",
    "enterprise",
  );
  key = JSON.parse(created.stdout).api_key;
  service = await startBareService({ ...engines, MEDIA_CONCURRENCY: "1" });
});

afterAll(async () => {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

it("is written while jobs run, readable only by its owner", async () => {
  const first = await call("/v1/image/sharpen", form(photo, "a.jpg"), { prefer: "wait=30" });
  expect(first.status).toBe("completed");
  link = first.outputs[0]?.url ?? "";
  const kept: string[] = [];
  for (let count = 0; count < 8; count++) {
    kept.push((await call("/v1/image/sharpen", form(photo, "a.jpg"))).id);
  }
  // Pending for long: the one slot of the runner has the jobs before it.
  const secret = form(pdf, "p.pdf", { password });
  expect((await call("/v1/document/unlock-pdf", secret)).status).toBe("pending");
  const result = await runBareAdmin(currentVariables(), "backup", "create", file);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(result.stdout)).toMatchObject({
    file,
    storage: "local",
    secret: "environment",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes(password)).toBe(false);
  const again = await runBareAdmin(currentVariables(), "backup", "create", file);
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toMatch(/^.* exists already; choose another name\.\n$/);
  await service.kill();
});

it("leaves nothing behind if it is damaged", async () => {
  const damaged = join(folder, "damaged.tar");
  const bytes = readFileSync(file);
  writeFileSync(damaged, bytes);
  truncateSync(damaged, Math.floor(bytes.length / 2 / 512) * 512);
  restored = { DATABASE_URL: await createEmptyDatabase(), DATA_DIR: join(folder, "data") };
  const result = await runBareAdmin(restored, "backup", "restore", damaged);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr.trim().split("\n")).toHaveLength(1);
});

it("restores everything, and what ran runs again", async () => {
  const result = await runBareAdmin(restored, "backup", "restore", file);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  service = await startBareService({ ...engines, ...restored });
  const list = async () => (await call("/v1/jobs?limit=50")).jobs;
  expect(await list()).toHaveLength(10);
  await until(
    async () => (await list()).every(({ status }) => !["pending", "processing"].includes(status)),
    60_000,
  );
  const jobs = await list();
  const images = jobs.filter(({ status }) => status === "completed");
  expect(images.length).toBeGreaterThanOrEqual(9);
  // The password is not that of the file, but it was decrypted.
  const failed = jobs.filter(({ status }) => status === "failed");
  for (const { error_code } of failed) expect(error_code).not.toBe("internal");
  for (const job of images) {
    const { outputs } = await call(`/v1/jobs/${job.id}`);
    expect((await fetch(outputs[0]?.url ?? "")).status).toBe(200);
  }
});

it("is refused by a database or a folder that is not empty", async () => {
  const folderRefuses = await runBareAdmin(restored, "backup", "restore", file);
  expect(folderRefuses).toMatchObject({ code: 1, stdout: "" });
  expect(folderRefuses.stderr).toMatch(/^.* is not empty: restore into an empty DATA_DIR\.\n$/);
  const other = { ...restored, DATA_DIR: join(folder, "other") };
  const databaseRefuses = await runBareAdmin(other, "backup", "restore", file);
  expect(databaseRefuses.stderr).toBe(
    "The database is not empty: restore into an empty database.\n",
  );
});

it("links of the previous secret are valid as long as it is set", async () => {
  await service.kill();
  const path = link.slice(new URL(link).origin.length);
  const statusWith = async (variables: Record<string, string>) => {
    service = await startBareService({ ...restored, ...variables }, { withRunner: false });
    const { status } = await fetch(`${service.url}${path}`);
    await service.kill();
    return status;
  };
  const next = { SECRET: "another secret for tests only" };
  expect(await statusWith({ ...next, SECRET_PREVIOUS: process.env.SECRET ?? "" })).toBe(200);
  expect(await statusWith(next)).toBe(403);
});
