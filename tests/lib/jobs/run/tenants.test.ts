import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { createVisitor } from "#lib/auth/visitors.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { dataPath, env } from "#lib/env.ts";
import { createToken } from "#lib/ids.ts";
import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";
import { runJob } from "#lib/jobs/run/run.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptFile, makeAccount, shortTimes } from "#tests/service/jobs.ts";

/** Which jobs share a warm process. */

const settings: { ENGINE_ISOLATION: "shared" | "account" } = env;
const engineSlots = new EngineSlots({ size: 1 });

afterEach(async () => {
  settings.ENGINE_ISOLATION = "shared";
  await closeWorkerPool();
});

afterAll(closeWorkerPool);

async function flip(account: Account, path: string): Promise<void> {
  const accepted = await acceptFile(account, "image/flip", { direction: "horizontal" }, path);
  const lease = { jobId: accepted.id, token: createToken() };
  const job = await claimJob(db(), lease, 60, "run");
  if (!job) throw new Error("the job was not claimed");
  const times = { ...shortTimes, leaseSeconds: 60, renewSeconds: 20 };
  const stopping = new AbortController().signal;
  const ended = await runJob({ job, lease }, { times, stopping, engineSlots });
  expect(ended?.status).toBe("completed");
}

/** The workers that two jobs, one after the other, have started. Each has a slot folder. */
async function countWorkers(first: Account, second: Account): Promise<() => number> {
  const path = join(dataPath(), "photo.png");
  await writeFile(path, await makeTestImage().png().toBuffer());
  const seen = new Set<string>();
  const list = () => {
    for (const name of readdirSync(processPath("slots"))) seen.add(name);
    return seen.size;
  };
  for (const account of [first, second]) {
    await flip(account, path);
    list();
  }
  return list;
}

it("accounts share a warm worker by default", async () => {
  const count = await countWorkers(await makeAccount(), await makeAccount());
  expect(count()).toBe(1);
});

// The third one is started in advance.
const workers = 3;

it("with ENGINE_ISOLATION=account, each account has a worker of its own", async () => {
  settings.ENGINE_ISOLATION = "account";
  const count = await countWorkers(await makeAccount(), await makeAccount());
  await expect.poll(count).toBe(workers);
});

it("with ENGINE_ISOLATION=account, the jobs of one account have the same worker", async () => {
  settings.ENGINE_ISOLATION = "account";
  const account = await makeAccount();
  await expect.poll(await countWorkers(account, account)).toBe(workers - 1);
});

it("each job of a visitor has a worker of its own", async () => {
  const visitor = await createVisitor();
  await expect.poll(await countWorkers(visitor, visitor)).toBe(workers);
});
