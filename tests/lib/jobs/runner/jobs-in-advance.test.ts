import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";
import { type Runner, startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import { h264, makeVideo, testPattern } from "#tests/samples/videos.ts";
import {
  acceptFile,
  acceptJob,
  makeAccount,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { until } from "#tests/service/stack.ts";

/**
 * Times that are long enough that a slow machine loses no lease, and ends no video by its timeout.
 */
const times = { ...shortTimes, leaseSeconds: 30, timeoutSeconds: 120, gracePeriodSeconds: 5 };
let runner: Runner | undefined;

afterEach(async () => {
  await runner?.stop();
  await db().execute(sql`delete from jobs`);
});

/** Jobs are claimed in advance at any time, not only shortly after a slot was granted. */
class EagerEngineSlots extends EngineSlots {
  /** How many jobs have asked for a slot so far. */
  requests = 0;

  override get isSoonFree(): boolean {
    return true;
  }

  override acquire(signal: AbortSignal): Promise<() => void> {
    this.requests++;
    return super.acquire(signal);
  }
}

async function startWith(slots: EngineSlots): Promise<Runner> {
  runner = await startMediaRunner(times, undefined, slots);
  return runner;
}

const isClaimed = ({ leaseToken }: { readonly leaseToken: string | null }) => leaseToken !== null;

it("a job claimed in advance waits for an engine, is released in time, and runs later", async () => {
  const slots = new EagerEngineSlots({ size: 1, maxWaitMs: 1000 });
  const releaseSlot = await slots.acquire(new AbortController().signal);
  await startWith(slots);
  const next = await acceptJob(await makeAccount());
  const claimed = await waitForJobState(next.id, isClaimed);
  // It may be claimed again at once: then it has another token, was without one for milliseconds, and its
  // attempt is counted until it is released again. The count at the end is what matters.
  const released = await waitForJobState(
    next.id,
    ({ leaseToken }) => leaseToken !== claimed.leaseToken,
  );
  expect(released).toMatchObject({ status: "processing", runnerDeaths: 0 });
  releaseSlot();
  const ended = await waitForJobState(next.id);
  expect(ended).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 0 });
});

it("a job claimed in advance starts when an engine becomes free", async () => {
  const slots = new EagerEngineSlots({ size: 1 });
  await startWith(slots);
  const account = await makeAccount();
  const long = makeVideo("mp4", ...testPattern("size=640x360:rate=30:duration=120"), ...h264);
  const video = await acceptFile(account, "video/framerate", { fps: 24 }, long);
  // A job that is only claimed may get its engine after the short job.
  await until(async () => !slots.hasFree, 30_000);
  const next = await acceptJob(account);
  // On a busy machine, a claimed job may not wait yet, and never would if the engine were free by then.
  await until(async () => slots.requests === 2, 30_000);
  await cancelJob(account.id, video.id);
  const ended = await waitForJobState(next.id);
  expect(ended).toMatchObject({ status: "completed", attempts: 1 });
  expect(phasesOf(ended).map(({ name }) => name)).toContain("waiting");
});

it("a runner that stops releases the jobs that wait for an engine at once", async () => {
  const slots = new EagerEngineSlots({ size: 1 });
  await slots.acquire(new AbortController().signal);
  const started = await startWith(slots);
  const next = await acceptJob(await makeAccount());
  await waitForJobState(next.id, isClaimed);
  runner = undefined;
  const stopping = started.stop();
  const released = await waitForJobState(next.id, ({ leaseToken }) => leaseToken === null);
  expect(released).toMatchObject({ status: "processing", attempts: 0 });
  await stopping;
});
