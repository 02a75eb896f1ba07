import { sql } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { cancelJobRow } from "#lib/db/queries/jobs/endings.ts";
import { renewLease } from "#lib/db/queries/jobs/leases.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { notifyJobChangeNow } from "#lib/jobs/follow/changes.ts";
import { type AccountEvent, followEvents, parseEventId } from "#lib/jobs/follow/event-log.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, shortTimes } from "#tests/service/jobs.ts";

let controller = new AbortController();

afterEach(() => {
  controller.abort();
  controller = new AbortController();
});

type Sent = Extract<AccountEvent, { kind: "event" }>;

/** A connection of a client, which resumes after `lastId`. */
function connect(accountId: string, lastId?: string) {
  const after = lastId === undefined ? undefined : parseEventId(lastId);
  const events = followEvents(accountId, after, controller.signal);
  return {
    /** The next `count` events. */
    async take(count: number): Promise<Sent[]> {
      const taken: Sent[] = [];
      while (taken.length < count) {
        const { value } = await events.next();
        if (value?.kind === "event") taken.push(value);
      }
      return taken;
    },
    async opened(): Promise<string> {
      const { value } = await events.next();
      return value?.id ?? "";
    },
    /** The id of the next value that is no event. */
    async idle(): Promise<string> {
      for (;;) {
        const { value, done } = await events.next();
        if (done || value.kind === "idle") return value?.id ?? "";
      }
    },
  };
}

const summary = (events: readonly Sent[]) => events.map(({ type, job }) => `${type} ${job.id}`);

it("every job is created, started and ended once, in order, from any event on", async () => {
  const account = await makeAccount();
  await acceptJob(account);
  const start = await connect(account.id).opened();
  const jobs = [await acceptJob(account), await acceptJob(account), await acceptJob(account)];
  const [, , last] = jobs;
  await cancelJob(account.id, last?.id ?? "");
  const runner = await startMediaRunner(shortTimes);
  // Two of the job that was created before the start, three of two jobs, two of the cancelled one.
  const all = await connect(account.id, start).take(2 + 2 * 3 + 2);
  await runner.stop();
  expect(new Set(summary(all)).size).toBe(all.length);
  for (const { id } of jobs.slice(0, 2)) {
    const own = summary(all).filter((one) => one.endsWith(id));
    expect(own).toEqual([`job.created ${id}`, `job.started ${id}`, `job.completed ${id}`]);
  }
  expect(summary(all)).toContain(`job.cancelled ${last?.id}`);
  for (const [index, { id }] of all.slice(0, -1).entries()) {
    const rest = await connect(account.id, id).take(all.length - index - 1);
    expect(summary(rest)).toEqual(summary(all.slice(index + 1)));
  }
});

it("an event of a transaction that is still open is waited for, and keeps its place", async () => {
  const account = await makeAccount();
  const start = await connect(account.id).opened();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
  const first = await acceptJob(account);
  const client = connect(account.id, start);
  expect(summary(await client.take(1))).toEqual([`job.created ${first.id}`]);
  const early = transaction(async (tx) => {
    await tx.execute(
      sql`update jobs set started_at = now(), status = 'processing' where id = ${first.id}`,
    );
    opened();
    await mayCommit;
  });
  await isOpen;
  const second = await acceptJob(account);
  const next = client.take(2);
  const isSent = await Promise.race([next.then(() => true), wait(600)]);
  expect(isSent).toBeUndefined();
  commit();
  await early;
  expect(summary(await next)).toEqual([`job.started ${first.id}`, `job.created ${second.id}`]);
});

it("a job that is claimed while it is cancelled starts before it ends", async () => {
  const account = await makeAccount();
  const start = await connect(account.id).opened();
  const { id } = await acceptJob(account);
  await transaction(async (tx) => {
    await tx.execute(sql`select now()`);
    await claimJob(db(), { jobId: id, token: "token" }, 20, "run");
    await cancelJobRow(tx, account.id, id, retentionHoursByPlan);
  });
  const events = await connect(account.id, start).take(3);
  expect(summary(events)).toEqual([
    `job.created ${id}`,
    `job.started ${id}`,
    `job.cancelled ${id}`,
  ]);
});

it("progress is reported while a job runs, and has the id of the event before", async () => {
  const account = await makeAccount();
  const client = connect(account.id);
  await client.opened();
  const { id } = await acceptJob(account);
  const lease = { jobId: id, token: "token" };
  await claimJob(db(), lease, 20, "run");
  const [, started] = await client.take(2);
  await renewLease(db(), lease, 20, 40);
  await notifyJobChangeNow({ id, accountId: account.id, status: "processing" });
  const [progress] = await client.take(1);
  expect(progress).toMatchObject({ type: "job.progress", id: started?.id, job: { progress: 40 } });
  await cancelJob(account.id, id);
  expect(summary(await client.take(1))).toEqual([`job.cancelled ${id}`]);
});

it("an account whose jobs change all the time is idle every 15 seconds too, after its last event", async () => {
  const account = await makeAccount();
  const client = connect(account.id);
  await client.opened();
  const { id } = await acceptJob(account);
  const [created] = await client.take(1);
  const change = { id, accountId: account.id, status: "pending" } as const;
  const changing = setInterval(() => void notifyJobChangeNow(change), 100);
  const startedAt = Date.now();
  const now = vi.spyOn(Date, "now").mockReturnValue(startedAt + 14_000);
  try {
    const idle = client.idle();
    expect(await Promise.race([idle, wait(500)])).toBeUndefined();
    now.mockReturnValue(startedAt + 16_000);
    expect(await Promise.race([idle, wait(5000)])).toBe(created?.id);
  } finally {
    now.mockRestore();
    clearInterval(changing);
  }
});

it("another account's events are never sent", async () => {
  const own = await makeAccount();
  const foreign = await makeAccount();
  const client = connect(own.id);
  await client.opened();
  await cancelJob(foreign.id, (await acceptJob(foreign)).id);
  const mine = await acceptJob(own);
  expect(summary(await client.take(1))).toEqual([`job.created ${mine.id}`]);
});

const wait = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));
