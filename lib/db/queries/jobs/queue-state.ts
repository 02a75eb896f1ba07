import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";

/** Jobs of one priority that nobody has at work though they could be. */
export interface WaitingJobs {
  readonly priority: number;
  readonly stage: "fetch" | "run";
  readonly jobs: number;
  /** How long the first of them has waited. */
  readonly oldestSeconds: number;
}

export async function countWaitingJobs(db: Queryable): Promise<WaitingJobs[]> {
  const rows = await db.execute<{
    priority: number;
    needs_fetch: boolean;
    jobs: string;
    oldest: string;
  }>(sql`
    select priority, needs_fetch, count(*) as jobs,
      extract(epoch from now() - min(greatest(created_at, run_after))) as oldest
    from jobs
    where status in ('pending', 'processing') and lease_token is null and run_after <= now()
    group by priority, needs_fetch`);
  return rows.map(({ priority, needs_fetch, jobs, oldest }) => ({
    priority,
    stage: needs_fetch ? "fetch" : "run",
    jobs: Number(jobs),
    oldestSeconds: Number(oldest),
  }));
}

/** Jobs at work now, by what they are at. */
export async function countRunningJobs(db: Queryable): Promise<Record<"fetch" | "run", number>> {
  const [row] = await db.execute<{ fetch: string; run: string }>(sql`
    select count(*) filter (where needs_fetch) as fetch, count(*) filter (where not needs_fetch) as run
    from jobs where status = 'processing' and lease_token is not null`);
  return { fetch: Number(row?.fetch), run: Number(row?.run) };
}

/** Webhooks whose attempt is due, and how long the first of them has been. */
export async function countDueWebhooks(
  db: Queryable,
): Promise<{ webhooks: number; oldestSeconds: number }> {
  const [row] = await db.execute<{ webhooks: string; oldest: string | null }>(sql`
    select count(*) as webhooks, extract(epoch from now() - min(next_attempt_at)) as oldest
    from webhook_deliveries where status = 'pending' and next_attempt_at <= now()`);
  return { webhooks: Number(row?.webhooks), oldestSeconds: Number(row?.oldest ?? 0) };
}
