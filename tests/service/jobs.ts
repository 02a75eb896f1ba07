import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { createAccount } from "#lib/auth/accounts.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { createJob, type JobRequest } from "#lib/jobs/accept/create.ts";
import { stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import type { LeaseTimes } from "#lib/jobs/run/lease.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import type { PlanName } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";

/** Times that are short, but leases do not expire on a busy machine: a test lets one expire itself. */
export const shortTimes: LeaseTimes = {
  leaseSeconds: 30,
  renewSeconds: 0.3,
  timeoutSeconds: 300,
  gracePeriodSeconds: 0.2,
};

let accounts = 0;

export async function makeAccount(plan: PlanName = "enterprise"): Promise<Account> {
  const account = await createAccount({ email: `jobs-${++accounts}@example.com`, plan });
  if (!account) throw new Error("the account was not created");
  return account;
}

/** Accepts a job of `account` that inspects a small text, or the file at `url`. */
export async function acceptJob(
  account: Account,
  url?: string,
  more: Partial<JobRequest> = {},
): Promise<JobRow> {
  const id = createId("job");
  // Job tests must not depend on the request rate.
  await db().execute(sql`delete from rate_windows`);
  const source = url ? ({ kind: "url", url } as const) : await storeText(id);
  const { job } = await createJob({
    id,
    account,
    operation: "pipeline/file-inspect",
    params: {},
    source,
    parts: {},
    webhookUrl: null,
    metadata: {},
    requestId: "req_test",
    ...more,
  });
  return job;
}

/** Accepts a job of `account` with the file at `path`. */
export async function acceptFile(
  account: Account,
  operation: string,
  params: Record<string, unknown>,
  path: string,
  more: Partial<JobRequest> = {},
): Promise<JobRow> {
  const id = createId("job");
  const key = inputKey(id, "file");
  await stageUpload(id);
  const { bytes, sha256 } = await storage().write(key, createReadStream(path));
  const filename = basename(path);
  const { job } = await createJob({
    id,
    account,
    operation,
    params,
    source: { kind: "stored", key, filename, contentType: "video/mp4", bytes, sha256 },
    parts: {},
    webhookUrl: null,
    metadata: {},
    requestId: "req_test",
    ...more,
  });
  return job;
}

async function storeText(id: string): Promise<JobSource> {
  const key = inputKey(id, "file");
  await stageUpload(id);
  const { bytes, sha256 } = await storage().write(key, Readable.from([Buffer.from("some text")]));
  return { kind: "stored", key, filename: "a.txt", contentType: "text/plain", bytes, sha256 };
}

export async function readJob(id: string): Promise<JobRow> {
  const job = await findJobById(db(), id);
  if (!job) throw new Error("there is no such job");
  return job;
}

/** Resolves with the job when `condition` holds, by default when it has ended. */
export async function waitForJobState(
  id: string,
  condition: (job: JobRow) => boolean = isFinal,
  timeoutMs = 30_000,
): Promise<JobRow> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    const job = await readJob(id);
    if (condition(job)) return job;
    if (Date.now() > deadline) throw new Error(`the job stays ${job.status}: ${job.error}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
