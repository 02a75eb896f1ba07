import { InngestTestEngine } from "@inngest/test";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { fetchApp, mediaApp, webApp, webhooksApp } from "#inngest/client.ts";
import { createDeliverWebhook } from "#inngest/deliver-webhook.ts";
import { DeliverySlots } from "#inngest/delivery-slots.ts";
import { JobSlots } from "#inngest/job-slots.ts";
import { createFetchInputs, createRunJob } from "#inngest/run-job.ts";
import { createSweep } from "#inngest/sweep.ts";
import { db } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { listDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";
import { Claims } from "#lib/jobs/runner/claims.ts";
import { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { evaluate } from "#tests/servers/inngest/expressions.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import type { FunctionConfig } from "#tests/servers/inngest/types.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, readJob, shortTimes } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

const host = `http://127.0.0.1:${inject("hostPort")}`;
const openRuns = new OpenRuns({});
const claims = new Claims(shortTimes.leaseSeconds, () => {});
const engineSlots = new EngineSlots({ size: 2 });
const run = { times: shortTimes, stopping: new AbortController().signal, engineSlots };
const slotsOf = (stage: JobStage) => new JobSlots({ stage, concurrency: 2, claims, openRuns, run });
const runJob = createRunJob(mediaApp(), slotsOf("run"));
const fetchInputs = createFetchInputs(fetchApp(), slotsOf("fetch"));
const deliverWebhook = createDeliverWebhook(webhooksApp(), new DeliverySlots(openRuns));
let messages = 0;

afterEach(() => db().execute(sql`delete from jobs`));

/** Runs `fn` as Inngest does for an event; resolves with its return value. */
async function execute(
  fn: InngestTestEngine.Options["function"],
  name: string,
  data: Record<string, unknown> = {},
): Promise<unknown> {
  const messageId = `message ${++messages}`;
  const events: [{ name: string; data: Record<string, unknown> }] = [
    { name, data: { messageId, ...data } },
  ];
  const { result, error } = await new InngestTestEngine({ function: fn, events }).execute();
  if (error) throw error;
  return result;
}

describe("run-job", () => {
  it("reports what it did; a further run finds nothing to claim", async () => {
    const account = await makeAccount();
    const { id: jobId } = await acceptJob(account);
    expect(await execute(runJob, eventNames.run, { jobId })).toEqual({
      jobs: [
        {
          job: jobId,
          account: account.id,
          operation: "pipeline/file-inspect",
          plan: "enterprise",
          stage: "run",
          attempt: 1,
          age_ms: expect.any(Number),
          outcome: "processed",
          status: "completed",
          duration_ms: expect.any(Number),
          phases_ms: expect.objectContaining({ queued: expect.any(Number) }),
        },
      ],
      ended: "nothing_to_claim",
    });
    expect(await readJob(jobId)).toMatchObject({ status: "completed", attempts: 1 });
    const again = await execute(runJob, eventNames.run, { jobId });
    expect(again).toEqual({ jobs: [], ended: "nothing_to_claim" });
  });

  it("reports the error code of a job that failed", async () => {
    const { id: jobId } = await acceptJob(await makeAccount(), `${host}/nothing-here`);
    expect(await execute(fetchInputs, eventNames.fetch, { jobId })).toMatchObject({
      jobs: [{ job: jobId, outcome: "fail", error_code: "fetch_failed", status: "failed" }],
    });
  });

  it("claims the job whose turn it is, not the one of the message, and goes on with the others", async () => {
    const first = await acceptJob(await makeAccount("free"));
    const second = await acceptJob(await makeAccount("enterprise"));
    const third = await acceptJob(await makeAccount("pro"));
    expect(await execute(runJob, eventNames.run, { jobId: first.id })).toMatchObject({
      jobs: [{ job: second.id }, { job: third.id }, { job: first.id }],
    });
  });

  it("is reported before it claims a job, so that its slot is freed if the runner dies", async () => {
    const { id } = await acceptJob(await makeAccount());
    const reported = new OpenRuns({});
    const slots = new JobSlots({ stage: "run", concurrency: 1, claims, openRuns: reported, run });
    const reports: unknown[] = [];
    reported.onChange = async () => {
      const { openRuns } = reported.takeReport();
      reports.push({ openRuns, status: (await findJobById(db(), id))?.status });
    };
    await execute(createRunJob(mediaApp(), slots), eventNames.run, { jobId: id });
    const openRuns = { run: [`message ${messages}`] };
    expect(reports[0]).toEqual({ openRuns, status: "pending" });
  });

  it("claims once more after it has reported that it claims no more", async () => {
    const account = await makeAccount();
    const { id } = await acceptJob(account);
    const reported = new OpenRuns({ run: 1 });
    const slots = new JobSlots({ stage: "run", concurrency: 1, claims, openRuns: reported, run });
    let late: string | undefined;
    let reports = 0;
    reported.onChange = async () => {
      const { claimingRuns } = reported.takeReport();
      // The first report is before the first claim. Then a job comes between the last claim and the report of it.
      if (++reports === 1) setTimeout(() => void reported.report());
      else if (claimingRuns?.run === 0) late ??= (await acceptJob(account)).id;
    };
    const result = await execute(createRunJob(mediaApp(), slots), eventNames.run, { jobId: id });
    expect(result).toMatchObject({ jobs: [{ job: id }, { job: late }], ended: "nothing_to_claim" });
  });

  it.each([
    { reason: "jobs after its shortest time", limits: { jobs: 2, minMs: 0, maxJobs: 9 } },
    { reason: "jobs in any case", limits: { jobs: 1, minMs: 60_000, maxJobs: 2 } },
  ])("passes its message on after some $reason", async ({ limits }) => {
    const account = await makeAccount();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await acceptJob(account)).id);
    const sessionLimits = { ...limits, maxMs: 60_000 };
    const slots = new JobSlots({
      stage: "run",
      concurrency: 1,
      claims,
      openRuns,
      run,
      sessionLimits,
    });
    const fn = createRunJob(mediaApp(), slots);
    const message = { jobId: ids[0] ?? "", accountId: account.id, plan: "enterprise" };
    const result = await execute(fn, eventNames.run, message);
    expect(result).toMatchObject({
      jobs: [{ job: ids[0] }, { job: ids[1] }],
      ended: "session_ends",
    });
    const event = inngest.events.at(-1);
    expect(event).toMatchObject({ name: eventNames.run, data: message });
    expect(event?.id).toMatch(new RegExp(`^${ids[0]}:run-again-`));
  });

  it("without a free slot passes its message on", async () => {
    await acceptJob(await makeAccount());
    const slots = new JobSlots({ stage: "run", concurrency: 0, claims, openRuns, run });
    const fn = createRunJob(mediaApp(), slots);
    const events = inngest.events.length;
    const at = Date.now();
    const message = { jobId: "job_1", accountId: "acc_1", plan: "pro" };
    const result = await execute(fn, eventNames.run, message);
    expect(result).toEqual({ jobs: [], ended: "no_free_slot" });
    expect(inngest.events.length).toBe(events + 1);
    expect(inngest.events.at(-1)).toMatchObject({ data: message });
    // Delayed, so that it does not come back at once.
    expect(inngest.events.at(-1)?.ts).toBeGreaterThanOrEqual(at + 1000);
  });

  it("does not claim a job that waits for its files", async () => {
    const { id: jobId } = await acceptJob(await makeAccount(), `${host}/drip`);
    const result = await execute(runJob, eventNames.run, { jobId });
    expect(result).toEqual({ jobs: [], ended: "nothing_to_claim" });
    expect(await readJob(jobId)).toMatchObject({ status: "pending", attempts: 0 });
  });
});

it("fetch-inputs stores the files and enqueues the job for an engine", async () => {
  const { id: jobId } = await acceptJob(await makeAccount(), `${host}/hook/input/200`);
  expect(await execute(fetchInputs, eventNames.fetch, { jobId })).toMatchObject({
    jobs: [{ job: jobId, stage: "fetch", outcome: "fetched", status: "processing" }],
  });
  const job = await readJob(jobId);
  expect(job).toMatchObject({ stage: "run", source: { kind: "stored" }, leaseToken: null });
  const event = inngest.events.findLast(({ id }) => id.startsWith(`${jobId}:run`));
  expect(event).toMatchObject({ name: eventNames.run, data: { jobId } });
});

it("deliver-webhook makes the due attempt only once", async () => {
  const account = await makeAccount();
  const { id: deliveryId } = await createTestDelivery(account.id, `${host}/hook/test/200`);
  expect(await execute(deliverWebhook, eventNames.delivery, { deliveryId })).toEqual({
    attempts: [
      {
        delivery: deliveryId,
        job: null,
        account: account.id,
        attempt: 1,
        outcome: "delivered",
        status: 200,
        duration_ms: expect.any(Number),
      },
    ],
    ended: "nothing_waits",
  });
  const again = await execute(deliverWebhook, eventNames.delivery, { deliveryId });
  expect(again).toEqual({ attempts: [], ended: "not_due" });
  const page = { limit: 1, offset: 0 };
  const [delivery] = await listDeliveries(db(), account.id, {}, page);
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

  it.each([
    ["run-job", configOf(runJob, "mediamill-media")],
    ["fetch-inputs", configOf(fetchInputs, "mediamill-fetch")],
    ["deliver-webhook", configOf(deliverWebhook, "mediamill-webhooks")],
  ])("a run of %s is ended by its message, not by its job", (_, { cancel }) => {
    const [ended] = cancel ?? [];
    const event = { data: { messageId: "job_1:run-0", jobId: "job_1" } };
    const ends = (data: object) => evaluate(ended?.if ?? "", { event, async: { data } });
    expect(ended?.event).toBe(eventNames.lost);
    expect(ends({ messageId: "job_1:run-0" })).toBe(true);
    expect(ends({ messageId: "job_1:run-1", jobId: "job_1" })).toBe(false);
  });

  it("Inngest limits no account: a backlog over a limit would delay other accounts", () => {
    const configs = [configOf(runJob, "mediamill-media"), configOf(deliverWebhook, "webhooks")];
    for (const { concurrency, priority } of configs) {
      expect([concurrency, priority]).toEqual([undefined, undefined]);
    }
  });
});
