import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { cancelJobRow } from "#lib/db/queries/jobs/endings.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { createToken } from "#lib/ids.ts";
import { JobQuota } from "#lib/jobs/run/claim/quota.ts";
import { plans } from "#lib/plans.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

const url = "http://files.example/photo.png";

async function claimFetch(plan: "free" | "enterprise") {
  const account = await makeAccount(plan);
  const { id } = await acceptJob(account, url);
  const lease = { jobId: id, token: createToken() };
  const job = await claimJob(db(), lease, 60, "fetch");
  if (job?.id !== id) throw new Error("the job was not claimed");
  return { account, job, quota: new JobQuota({ job, lease }, plans[plan], 0) };
}

it("a job can be cancelled while it reserves more of its quota", async () => {
  const { account, job, quota } = await claimFetch("enterprise");
  let reserving: Promise<unknown> | undefined;
  const cancelled = await transaction(async (tx) => {
    await tx.execute(sql`select from jobs where id = ${job.id} for update`);
    reserving = quota.reserve(100).catch((error: unknown) => error);
    await waitUntil(async () => {
      const waiting = await db().execute(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    return cancelJobRow(tx, account.id, job.id, retentionHoursByPlan);
  });
  expect(cancelled?.status).toBe("cancelled");
  expect(await reserving).toEqual(new Error(`the lease of job ${job.id} was lost`));
  expect(await readUsage(db(), account.id, job.period)).toMatchObject({ reservedBytes: 0 });
});

it("a reservation that exceeds the quota leaves the job's earlier one", async () => {
  const { account, job, quota } = await claimFetch("free");
  await quota.reserve(100);
  await expect(quota.reserve(2 * 10 ** 9)).rejects.toMatchObject({ code: "usage_limit_reached" });
  expect((await readJob(job.id)).reservedBytes).toBe(100);
  expect(await readUsage(db(), account.id, job.period)).toMatchObject({ reservedBytes: 100 });
});

it("files can be kept for a part of an hour", async () => {
  const { account, job } = await claimFetch("free");
  const hours = { ...retentionHoursByPlan, free: 0.01 };
  await transaction((tx) => cancelJobRow(tx, account.id, job.id, hours));
  const { completedAt, expiresAt } = await readJob(job.id);
  expect(Number(expiresAt) - Number(completedAt)).toBe(36_000);
});
