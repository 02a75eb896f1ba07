import { join } from "node:path";
import { expect, inject } from "vitest";
import { withServiceDatabase } from "../service/database/service-database.ts";
import { Client } from "../service/http/client.ts";
import { listBelow } from "../support/list-below.ts";

const jobId = /job_[0-9A-Za-z]{24}/;

/**
 * Stale files of the service: folders in `work` of jobs that have ended, folders in `storage` of jobs that
 * do not exist, and incomplete files.
 */
async function findStaleFiles(): Promise<string[]> {
  const { dataDir } = inject("service");
  const find = async (folder: string, pattern = jobId) => {
    const entries = await listBelow(join(dataDir, folder));
    return entries.map(({ path }) => path).filter((path) => pattern.test(path));
  };
  const work = await find("work");
  const storage = await find("storage");
  const ids = [...work, ...storage].map((name) => jobId.exec(name)?.[0] ?? "");
  const rows = await withServiceDatabase(
    (sql) => sql<{ id: string; status: string }[]>`
      select id, status from jobs where id in ${sql(ids.length > 0 ? ids : [""])}`,
  );
  const states = new Map(rows.map(({ id, status }) => [id, status]));
  const stateOf = (name: string) => states.get(jobId.exec(name)?.[0] ?? "");
  return [
    ...work
      .filter((name) => !/pending|processing/.test(stateOf(name) ?? ""))
      .map((name) => `work/${name}`),
    ...storage.filter((name) => !stateOf(name)).map((name) => `storage/${name}`),
    ...(await find("storage", /\.part$/)).map((name) => `storage/${name}`),
  ];
}

/** Expects that all stale files are removed soon. Requests of other tests may still create some. */
export async function expectNoStaleFiles(): Promise<void> {
  const deadline = Date.now() + 10_000;
  let stale = await findStaleFiles();
  while (stale.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const current = new Set(await findStaleFiles());
    stale = stale.filter((name) => current.has(name));
  }
  expect(stale).toEqual([]);
}

/** Expects that a good job completes, and that bad ones have left no files. */
export async function expectHealthyService(client = new Client()): Promise<void> {
  const job = await client.run("pipeline/file-inspect", { bytes: "good", filename: "good.txt" });
  expect([job.status, job.error]).toEqual(["completed", null]);
  await expectNoStaleFiles();
}
