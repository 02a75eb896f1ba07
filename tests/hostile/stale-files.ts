import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { Client } from "../service/client.ts";
import { withServiceDatabase } from "../service/service-database.ts";

const jobId = /job_[0-9A-Za-z]{24}/;

/**
 * Folders of jobs under the service's `work` that have ended, under `storage` of jobs that there
 * are not, and files that were not stored to their end.
 */
async function findLeftovers(): Promise<string[]> {
  const { dataDir } = inject("service");
  const find = async (folder: string, pattern = jobId) => {
    const names = await readdir(join(dataDir, folder), { recursive: true }).catch(() => []);
    return names.filter((name) => pattern.test(name));
  };
  const [work, storage] = [await find("work"), await find("storage")];
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

/** What is on the disk now and belongs to no job is gone soon: other tests' requests may be in flight. */
export async function expectNothingLeft(): Promise<void> {
  const deadline = Date.now() + 10_000;
  let left = await findLeftovers();
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = new Set(await findLeftovers());
    left = left.filter((name) => now.has(name));
  }
  expect(left).toEqual([]);
}

/** The service is none the worse: a good job completes, and nothing is left of the bad ones. */
export async function expectServiceWell(client = new Client()): Promise<void> {
  const job = await client.run("pipeline/file-inspect", { bytes: "good", filename: "good.txt" });
  expect([job.status, job.error]).toEqual(["completed", null]);
  await expectNothingLeft();
}
