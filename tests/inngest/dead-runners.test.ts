import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { countSlots } from "#lib/jobs/runner/dead-runners.ts";
import { fetchConcurrency } from "#lib/jobs/runner/media-runner.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import { enqueueTestEvent, readDelivery, startReceiver } from "#tests/service/deliveries.ts";
import { acceptJob, makeAccount, readJob, waitForJobState } from "#tests/service/jobs.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";
import { waitUntil } from "#tests/support/processes.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 60_000 });

const host = `http://127.0.0.1:${inject("hostPort")}`;
const plan = new FaultPlan();
/** A lease that expires twice on a busy machine would make a job exclusive. */
const mediaVariables = { ...plan.variables, TEST_LEASE_SECONDS: "12" };
/** A busy machine needs much of this for the start of an engine. */
const busyMs = 100_000;
const isRunning = (job: JobRow) => job.leaseToken !== null;
let survivor: RunnerProcess;

beforeAll(async () => {
  // As in production: only the end of a run frees its slot within a test.
  inngest.gateway.leaseMs = 120_000;
  survivor = await RunnerProcess.start(mediaVariables);
});

afterEach(() => db().execute(sql`delete from jobs`));

afterAll(async () => {
  await survivor.stop();
  plan.remove();
});

it("the slots of a killed runner are free at once, and its jobs run again", async () => {
  const target = await RunnerProcess.start(mediaVariables);
  const account = await makeAccount();
  const slow: JobRow[] = [];
  // As many as one runner has slots: Inngest gives some of them to each.
  for (let count = 0; count < fetchConcurrency; count++) {
    slow.push(await acceptJob(account, `${host}/drip`));
  }
  for (const { id } of slow) await waitForJobState(id, isRunning, busyMs);
  const interrupted = target.started;
  expect(interrupted.length).toBeGreaterThan(0);
  // The other runner now has free slots, but Inngest has none.
  const areBothLive = async () => (await countSlots("fetch")).live === 2 * fetchConcurrency;
  await waitUntil(areBothLive, busyMs);
  const runIds = inngest.executor.runsOf("mediamill-fetch-fetch-inputs").map(({ id }) => id);
  for (const id of interrupted) expect(runIds).toContain(target.runOf(id));
  await target.kill();
  const calls = inngest.executor.callsOf("mediamill-fetch");
  expect(calls).toBeGreaterThanOrEqual(fetchConcurrency);
  const other = await acceptJob(await makeAccount(), `${host}/hook/other/200`);
  const ended = await waitForJobState(other.id, undefined, busyMs);
  expect(ended).toMatchObject({ status: "completed" });
  await waitUntil(async () => (await countSlots("fetch")).heldByDead === 0, busyMs);
  // While the slot of only one of its runs was held, one of these jobs would find no slot.
  for (const id of interrupted) {
    await waitForJobState(id, (job) => isRunning(job) && job.runnerDeaths > 0, busyMs);
  }
  for (const { id } of slow) await cancelJob(account.id, id);
  await waitUntil(() => inngest.executor.callsOf("mediamill-fetch") === 0, busyMs);
});

it("the attempt of a killed webhook runner is made again by another one", async () => {
  let hangs = true;
  const receiver = await startReceiver((_request, response) => {
    if (!hangs) response.end();
  });
  const variables = { ...plan.variables, FETCH_ALLOW: receiver.host };
  const target = await RunnerProcess.start(variables, "webhooks");
  const id = await enqueueTestEvent(await makeAccount(), receiver.url);
  await waitUntil(() => receiver.received.length === 1, busyMs);
  await target.kill();
  hangs = false;
  const next = await RunnerProcess.start(variables, "webhooks");
  await waitUntil(async () => (await readDelivery(id)).status === "delivered", busyMs);
  expect(receiver.received.length).toBe(2);
  await next.stop();
});

it("a job whose message was lost in a crash of Inngest starts while a slot is free", async () => {
  inngest.dropsEvents = true;
  const { id } = await acceptJob(await makeAccount());
  inngest.dropsEvents = false;
  await db().execute(sql`
    update jobs set run_after = now() - interval '11 seconds', enqueued_at = now() - interval '11 seconds'
    where id = ${id}`);
  expect(await waitForJobState(id)).toMatchObject({ status: "completed" });
  expect(await readJob(id)).toMatchObject({ attempts: 1 });
});
