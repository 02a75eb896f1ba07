import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { claimNextJob } from "#lib/db/queries/jobs/claims.ts";
import { cancelJobRow, type FinalState, finishJob } from "#lib/db/queries/jobs/endings.ts";
import { releaseJob, releaseLostJobs, renewLease } from "#lib/db/queries/jobs/leases.ts";
import { type DeliveryRow, webhookDeliveries } from "#lib/db/schema/webhook-deliveries.ts";
import { enqueueNewDeliveries } from "#lib/jobs/runner/sweep.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { sendAccountEvent } from "#lib/webhooks/endpoints/account-event.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointSettings,
} from "#lib/webhooks/manage-endpoints.ts";
import { acceptJob, makeAccount } from "#tests/service/jobs.ts";

/** What the statements that change jobs write for endpoints. */

let account: Account;

beforeEach(async () => {
  await db().execute(sql`delete from jobs`);
  account = await makeAccount();
});

const subscribe = async (events: EndpointSettings["events"], owner = account) => {
  const settings = { url: "https://example.com/hook", events, description: "" };
  return (await createEndpoint(owner.id, settings)).endpoint;
};

const claim = async (token = "t") =>
  (await transaction((tx) => claimNextJob(tx, "run", token, 30, { idle: true })))?.job;

/** The order of the events of a job, which may have the same time. */
const rank = sql`array_position(array['job.created', 'job.started'], event)`;

const deliveriesOf = (owner = account): Promise<DeliveryRow[]> =>
  db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.accountId, owner.id), sql`endpoint_id is not null`))
    .orderBy(webhookDeliveries.createdAt, rank);

const typesOf = async (owner = account) => (await deliveriesOf(owner)).map(({ event }) => event);

const end = {
  outputs: [],
  result: null,
  warnings: [],
  error: null,
  errorCode: null,
} satisfies Omit<FinalState, "status">;

const finish = (jobId: string, status: "completed" | "failed", token = "t") =>
  finishJob(db(), { jobId, token }, { ...end, status }, 1, retentionHoursByPlan);

describe("the events of a job", () => {
  it("are written with each change, each once, for each endpoint that has chosen them", async () => {
    const all = await subscribe(["job.*"]);
    const ends = await subscribe(["job.completed", "job.failed"]);
    await subscribe(["usage.threshold_reached", "upload.completed"]);
    const { id } = await acceptJob(account);
    expect(await typesOf()).toEqual(["job.created"]);
    await claim();
    await finish(id, "completed");
    const rows = await deliveriesOf();
    const eventsOf = (endpoint: string) =>
      rows.filter(({ endpointId }) => endpointId === endpoint).map(({ event }) => event);
    expect(eventsOf(all.id)).toEqual(["job.created", "job.started", "job.completed"]);
    expect(eventsOf(ends.id)).toEqual(["job.completed"]);
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map((row) => row.id)).size).toBe(4);
    for (const row of rows) {
      expect(row).toMatchObject({ jobId: id, status: "pending", url: "https://example.com/hook" });
      expect(row.id).toMatch(/^whd_[0-9A-Za-z]{24}$/);
      expect(row.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    }
  });

  it.each(["failed", "cancelled"] as const)("%s is one of them", async (status) => {
    await subscribe([`job.${status}`]);
    const { id } = await acceptJob(account);
    if (status === "cancelled") await cancelJobRow(db(), account.id, id, retentionHoursByPlan);
    else {
      await claim();
      await finish(id, "failed");
    }
    expect(await typesOf()).toEqual([`job.${status}`]);
  });

  it("`*` is every type", async () => {
    await subscribe(["*"]);
    await acceptJob(account);
    expect(await typesOf()).toEqual(["job.created"]);
  });

  it("reach no endpoint that is disabled, of another account, or made later", async () => {
    const disabled = await subscribe(["*"]);
    await changeEndpoint(account.id, disabled.id, { enabled: false });
    const other = await makeAccount();
    await subscribe(["*"], other);
    const { id } = await acceptJob(account);
    await subscribe(["job.created"]);
    expect(await deliveriesOf()).toEqual([]);
    expect(await deliveriesOf(other)).toEqual([]);
    expect(id).toMatch(/^job_/);
  });

  it("a job that starts again after its runner vanished has started once", async () => {
    await subscribe(["job.started"]);
    const { id } = await acceptJob(account);
    await claim("first");
    await db().execute(sql`update jobs set lease_expires_at = now() - interval '1 minute'`);
    await releaseLostJobs(db(), 0);
    expect((await claim("second"))?.id).toBe(id);
    await releaseJob(db(), { jobId: id, token: "second" }, { delaySeconds: 0, countAttempt: true });
    expect((await claim("third"))?.id).toBe(id);
    expect(await typesOf()).toEqual(["job.started"]);
  });

  it("a change that is rolled back leaves none", async () => {
    await subscribe(["*"]);
    const { id } = await acceptJob(account);
    await claim();
    const rolledBack = transaction(async (tx) => {
      await finishJob(
        tx,
        { jobId: id, token: "t" },
        { ...end, status: "completed" },
        1,
        retentionHoursByPlan,
      );
      throw new Error("killed");
    });
    await expect(rolledBack).rejects.toThrow("killed");
    expect(await typesOf()).toEqual(["job.created", "job.started"]);
  });

  it("get a message of Inngest once, which the statement does not send", async () => {
    await subscribe(["job.created"]);
    await acceptJob(account);
    expect((await deliveriesOf())[0]?.enqueuedAt).toBeNull();
    await Promise.all([enqueueNewDeliveries(), enqueueNewDeliveries()]);
    const [delivery] = await deliveriesOf();
    expect(delivery?.enqueuedAt).not.toBeNull();
    await enqueueNewDeliveries();
    expect(await deliveriesOf()).toEqual([delivery]);
  });

  it("a runner that lost its lease writes none", async () => {
    await subscribe(["job.completed", "job.progress"]);
    const { id } = await acceptJob(account);
    await claim();
    expect(await finish(id, "completed", "another")).toBeUndefined();
    expect(await renewLease(db(), { jobId: id, token: "another" }, 30, 50, true)).toBe(false);
    expect(await typesOf()).toEqual([]);
  });
});

describe("job.progress", () => {
  const progress = (jobId: string, percent: number, reports = true) =>
    renewLease(db(), { jobId, token: "t" }, 30, percent, reports);
  const age = () =>
    db().execute(sql`update webhook_deliveries set created_at = created_at - interval '2 seconds'`);

  it("is written at most every 2 seconds, and once for each percentage", async () => {
    await subscribe(["job.progress"]);
    const { id } = await acceptJob(account);
    await claim();
    await progress(id, 10);
    await progress(id, 20);
    expect(await typesOf()).toHaveLength(1);
    await age();
    await progress(id, 10);
    await progress(id, 30);
    // The progress never falls, so it is 20, which was not reported.
    expect(await typesOf()).toHaveLength(2);
    await age();
    await progress(id, 30);
    expect(await typesOf()).toHaveLength(3);
    await age();
    await progress(id, 30);
    await progress(id, 40, false);
    expect(await typesOf()).toHaveLength(3);
  });
});

describe("an event of the account", () => {
  const event = {
    event: "upload.completed",
    subject: "upload_1",
    data: { id: "upload_1" },
  } as const;

  it("is written once for each endpoint that wants it, with its content", async () => {
    await subscribe(["upload.*"]);
    const second = await subscribe(["upload.completed"]);
    await subscribe(["job.*"]);
    const sent = { accountId: account.id, ...event };
    expect(await sendAccountEvent(db(), sent)).toBe(2);
    expect(await sendAccountEvent(db(), sent)).toBe(0);
    const excepted = { ...sent, subject: "upload_2", except: second.id };
    expect(await sendAccountEvent(db(), excepted)).toBe(1);
    expect(await typesOf()).toEqual(Array(3).fill("upload.completed"));
    const contents = await db().execute<{ body: string }>(sql`
      select body from webhook_contents join webhook_deliveries on id = delivery_id
      where account_id = ${account.id}`);
    expect(JSON.parse(contents[0]?.body ?? "")).toMatchObject({
      type: "upload.completed",
      data: { id: "upload_1" },
      timestamp: expect.stringMatching(/Z$/),
    });
  });
});
