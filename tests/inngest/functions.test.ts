import { InngestTestEngine } from "@inngest/test";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { fetchApp, mediaApp, webApp, webhooksApp } from "#inngest/client.ts";
import { createDeliverWebhook } from "#inngest/deliver-webhook.ts";
import { createFetchInputs, createRunJob } from "#inngest/run-job.ts";
import { createSweep } from "#inngest/sweep.ts";
import { db } from "#lib/db/client.ts";
import { claimJob } from "#lib/db/queries/jobs/claims.ts";
import { listDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { SharedExclusiveLock } from "#lib/jobs/runner/shared-exclusive-lock.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { evaluate } from "#tests/servers/inngest/expressions.ts";
import { type FunctionConfig, limitsOf } from "#tests/servers/inngest/types.ts";
import { inngest } from "#tests/servers/inngest/use-inngest.ts";
import { acceptJob, makeAccount, readJob, shortTimes } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

const host = `http://127.0.0.1:${inject("hostPort")}`;
const options = {
  times: shortTimes,
  stopping: new AbortController().signal,
  lock: new SharedExclusiveLock(),
};
const runJob = createRunJob(mediaApp(), options);
const fetchInputs = createFetchInputs(fetchApp(), options);
const deliverWebhook = createDeliverWebhook(webhooksApp());

afterEach(() => db().execute(sql`delete from jobs`));

/** Runs `fn` as Inngest does for an event; resolves with its return value. */
async function execute(
  fn: InngestTestEngine.Options["function"],
  name: string,
  data: Record<string, unknown> = {},
): Promise<unknown> {
  const events: [{ name: string; data: Record<string, unknown> }] = [{ name, data }];
  const { result, error } = await new InngestTestEngine({ function: fn, events }).execute();
  if (error) throw error;
  return result;
}

describe("run-job", () => {
  it("runs its job to the end; a second run finds nothing to do", async () => {
    const { id: jobId } = await acceptJob(await makeAccount());
    expect(await execute(runJob, eventNames.run, { jobId })).toEqual({ claimed: true });
    expect(await readJob(jobId)).toMatchObject({ status: "completed", attempts: 1 });
    expect(await execute(runJob, eventNames.run, { jobId })).toEqual({ claimed: false });
  });

  it("does not take a job that waits for its files, or that does not exist", async () => {
    const { id: jobId } = await acceptJob(await makeAccount(), `${host}/drip`);
    expect(await execute(runJob, eventNames.run, { jobId })).toEqual({ claimed: false });
    expect(await execute(runJob, eventNames.run, { jobId: "job_0" })).toEqual({ claimed: false });
    expect(await readJob(jobId)).toMatchObject({ status: "pending", attempts: 0 });
  });
});

it("fetch-inputs stores the files and enqueues the job for an engine", async () => {
  const { id: jobId } = await acceptJob(await makeAccount(), `${host}/hook/input/200`);
  expect(await execute(fetchInputs, eventNames.fetch, { jobId })).toEqual({ claimed: true });
  const job = await readJob(jobId);
  expect(job).toMatchObject({ stage: "run", source: { kind: "stored" }, leaseToken: null });
  const event = inngest.events.findLast(({ id }) => id.startsWith(`${jobId}:run`));
  expect(event).toMatchObject({ name: eventNames.run, data: { jobId } });
});

it("deliver-webhook makes the due attempt only once", async () => {
  const account = await makeAccount();
  const { id: deliveryId } = await createTestDelivery(account.id, `${host}/hook/test/200`);
  await execute(deliverWebhook, eventNames.delivery, { deliveryId });
  await execute(deliverWebhook, eventNames.delivery, { deliveryId });
  const page = { limit: 1, offset: 0 };
  const [delivery] = await listDeliveries(db(), account.id, undefined, page);
  expect(delivery).toMatchObject({
    id: deliveryId,
    status: "delivered",
    attempts: [{ status: 200 }],
  });
});

it("sweep releases the job of a runner that disappeared", async () => {
  const { id } = await acceptJob(await makeAccount());
  await claimJob(db(), { jobId: id, token: "disappeared" }, 0, "run");
  // After a start of the database, runners have a grace period to renew their leases.
  await waitUntil(async () => {
    await execute(createSweep(webApp()), "inngest/scheduled.timer");
    return (await readJob(id)).runnerDeaths === 1;
  }, 40_000);
  expect(await readJob(id)).toMatchObject({ leaseToken: null, runnerDeaths: 1 });
});

describe("configuration of the functions", () => {
  const configOf = (fn: typeof runJob | typeof deliverWebhook, app: string): FunctionConfig => {
    const url = { baseUrl: new URL("ws://connect"), appPrefix: app, isConnect: true };
    // The SDK registers functions with this method, but its types do not declare it.
    const registered = fn as unknown as { getConfig(options: typeof url): FunctionConfig[] };
    const [config] = registered.getConfig(url);
    if (!config) throw new Error("no configuration");
    return config;
  };
  const eventOf = (job: Pick<JobRow, "id">, plan: string, slot = 0) => ({
    event: { id: `${job.id}:run-0`, data: { plan, accountId: "acc", slot, jobId: job.id } },
  });
  const jobs = [configOf(runJob, "mediamill-media"), configOf(fetchInputs, "mediamill-fetch")];

  it.each([
    ["free", 0],
    ["pro", 200],
    ["business", 400],
    ["enterprise", 600],
  ])("a job of plan %s has a head start of %i s", (plan, seconds) => {
    for (const { priority } of jobs) {
      expect(evaluate(priority?.run ?? "", eventOf({ id: "job_1" }, plan))).toBe(seconds);
    }
  });

  it.each([
    ["free", 2],
    ["pro", 5],
    ["business", 20],
    ["enterprise", Number.POSITIVE_INFINITY],
  ])("an account of plan %s runs %d jobs at once, both functions together", (plan, maximum) => {
    const busy = new Map<string, number>();
    let running = 0;
    for (let count = 0; count < 200; count++) {
      const config = jobs[count % 2] as FunctionConfig;
      const variables = eventOf({ id: `job_${count}` }, plan, count % 4);
      const limits = limitsOf(config, variables.event);
      expect(limits).toHaveLength(2);
      if (limits.some(({ key, limit }) => (busy.get(key) ?? 0) >= limit)) continue;
      for (const { key } of limits) busy.set(key, (busy.get(key) ?? 0) + 1);
      running++;
    }
    expect(running).toBe(Math.min(maximum, 200));
  });

  it("the cancellation of a job ends only its own run", () => {
    for (const { cancel } of jobs) {
      const [ended] = cancel ?? [];
      const own = eventOf({ id: "job_1" }, "free");
      const ends = (jobId: string) =>
        evaluate(ended?.if ?? "", { ...own, async: { data: { jobId } } });
      expect([ended?.event, ends("job_1"), ends("job_2")]).toEqual([
        eventNames.cancelled,
        true,
        false,
      ]);
    }
  });

  it("an endpoint has at most 20 deliveries at once, an account 100", () => {
    const config = configOf(deliverWebhook, "mediamill-webhooks");
    const event = { id: "whd_1:1", data: { accountId: "acc", endpoint: "1" } };
    expect(limitsOf(config, event).map(({ limit }) => limit)).toEqual([20, 100]);
    const other = { ...event, data: { ...event.data, endpoint: "2" } };
    const [one, two] = [limitsOf(config, event), limitsOf(config, other)];
    expect([one[0]?.key === two[0]?.key, one[1]?.key === two[1]?.key]).toEqual([false, true]);
  });
});
