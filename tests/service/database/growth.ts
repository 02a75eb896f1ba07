import { sql } from "drizzle-orm";
import { db, type Queryable } from "#lib/db/client.ts";
import { acceptJobRow } from "#lib/db/queries/jobs/acceptance.ts";
import { claimNextJob, drainForExclusiveJob } from "#lib/db/queries/jobs/claims.ts";
import { finishJob } from "#lib/db/queries/jobs/endings.ts";
import { takeOverdueDeliveries } from "#lib/db/queries/jobs/enqueueing.ts";
import { saveIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { releaseLostJobs, renewLease } from "#lib/db/queries/jobs/leases.ts";
import { listJobs } from "#lib/db/queries/jobs/lists.ts";
import { readDueJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { deleteOldRecords, hasOldRecords } from "#lib/db/queries/jobs/retention.ts";
import { listExpiredJobs } from "#lib/db/queries/jobs/sweep.ts";
import { listDueDeliveries, readNextDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { createId } from "#lib/ids.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";

/** Rows to add to the tables. */
export interface Growth {
  readonly accounts: readonly string[];
  /** The number of ended jobs, and of deliveries of each of them. */
  readonly ended: number;
  readonly deliveriesPerJob: number;
  /** Jobs that wait, the oldest for an hour. */
  readonly waiting: number;
}

/** Adds rows, which the accounts share equally. Ended jobs are from the last 300 days. */
export async function grow({ accounts, ended, deliveriesPerJob, waiting }: Growth): Promise<void> {
  const account = sql`(${sql.param(accounts)}::text[])[1 + i % ${accounts.length}::int]`;
  await db().execute(sql`
    with inserted as (
      insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan, stage,
        period, created_at, completed_at, expires_at, files_deleted_at)
      select 'job_' || gen_random_uuid(), ${account}, 'image/sharpen', '{}', 'completed', '{}', '{}',
        'req', 'pro', 'run', '2026-01', at, at, at, at
      from generate_series(1, ${ended}::int) as i,
        lateral (select now() - i * interval '300 days' / ${ended}::int as at) as times
      returning id, account_id, created_at
    )
    insert into webhook_deliveries (id, account_id, job_id, url, event, status, next_attempt_at, attempts, created_at)
    select 'whd_' || gen_random_uuid(), account_id, id, 'http://host/', 'job.completed', 'delivered', null,
      '[{"at": "2026-01-01T00:00:00Z", "status": 200, "durationMs": 9, "response": ""}]', created_at
    from inserted, generate_series(1, ${deliveriesPerJob}::int)`);
  await db().execute(sql`
    insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan, stage,
      period, created_at, run_after)
    select 'job_' || gen_random_uuid(), ${account}, 'image/sharpen', '{}', 'pending', '{}', '{}',
      'req', 'pro', 'run', '2026-11', at, at
    from generate_series(1, ${waiting}::int) as i,
      lateral (select now() - i * interval '1 hour' / ${waiting}::int as at) as times`);
}

/** What autovacuum does after a while. */
export async function analyzeTables(): Promise<void> {
  await db().execute(sql`vacuum analyze jobs`);
  await db().execute(sql`vacuum analyze webhook_deliveries`);
}

type Query = (tx: Queryable) => Promise<unknown>;

/** The statements that run for each job or every few seconds. */
export function hotQueries(accountId: string): Readonly<Record<string, Query>> {
  const reenqueueTimes = { notEnqueuedSeconds: 5, unclaimedSeconds: 120 };
  const claim = async (tx: Queryable) => {
    const claimed = await claimNextJob(tx, "run", "token", 20, { idle: true });
    if (!claimed) throw new Error("no job was claimed");
    return { jobId: claimed.job.id, token: "token" };
  };
  return {
    "accept a job": (tx) => acceptJob(tx, accountId),
    "claim the next job": claim,
    "claim by a busy runner": async (tx) => {
      await drainForExclusiveJob(tx, "run", undefined, 10);
      await claimNextJob(tx, "run", "token", 20, { idle: false });
    },
    "claim, renew and finish a job": async (tx) => {
      const lease = await claim(tx);
      await renewLease(tx, lease, 20, 50);
      const state = { status: "completed", result: null, error: null, errorCode: null } as const;
      const data = { outputs: [], warnings: [] };
      await finishJob(tx, lease, { ...state, ...data }, 1, retentionHoursByPlan);
    },
    "claim for a stage without jobs": (tx) =>
      claimNextJob(tx, "fetch", "token", 20, { idle: true }),
    "read which jobs are due": readDueJobs,
    "release the jobs of dead runners": (tx) => releaseLostJobs(tx, 0),
    "list jobs with expired files": (tx) => listExpiredJobs(tx, 1000),
    "take overdue deliveries": (tx) => takeOverdueDeliveries(tx, reenqueueTimes),
    "list due deliveries": listDueDeliveries,
    "read the next delivery": readNextDelivery,
    "look for old records": (tx) => hasOldRecords(tx, "2020-01-01"),
    "delete old records": (tx) => deleteOldRecords(tx, "2020-01-01", 200),
    "list a page of jobs": (tx) => listJobs(tx, accountId, {}, { limit: 20 }),
  };
}

async function acceptJob(tx: Queryable, accountId: string): Promise<void> {
  await acceptJobRow(tx, {
    job: {
      id: createId("job"),
      accountId,
      operation: "image/sharpen",
      params: {},
      secrets: null,
      target: null,
      source: { kind: "url", url: "http://host/" },
      parts: {},
      input: { filename: null, contentType: null, bytes: null, url: "http://host/" },
      metadata: {},
      webhookUrl: null,
      requestId: "req",
      traceContext: null,
      apiKeyId: null,
      tokenId: null,
      maxFileBytes: null,
      plan: "pro",
      stage: "run",
      reservedBytes: 1,
      period: "2026-11",
    },
    monthlyBytes: 1e12,
    requestsPerMinute: 1000,
    hasStagedFiles: false,
    wakes: "run 0",
  });
  const response = { key: "key", fingerprint: "", status: 202, body: {} };
  await saveIdempotentResponse(tx, { accountId, ...response });
}
