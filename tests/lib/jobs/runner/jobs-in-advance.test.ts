import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { cancelJob } from "#lib/jobs/actions/actions.ts";
import { mediaConcurrency, type Runner, startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import { h264, makeVideo, testPattern } from "#tests/samples/videos.ts";
import {
  acceptFile,
  acceptJob,
  makeAccount,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

const times = { ...shortTimes, leaseSeconds: 10, gracePeriodSeconds: 5 };
let runner: Runner | undefined;

afterEach(async () => {
  await runner?.stop();
  await db().execute(sql`delete from jobs`);
});

/** Accepts as many long jobs as the runner has engine slots, and a short one when they are claimed. */
async function occupyEngines() {
  const account = await makeAccount();
  const long = makeVideo("mp4", ...testPattern("size=640x360:rate=30:duration=120"), ...h264);
  const videos: JobRow[] = [];
  for (let count = 0; count < mediaConcurrency(); count++) {
    videos.push(await acceptFile(account, "video/framerate", { fps: 24 }, long));
  }
  runner = await startMediaRunner(times);
  // On the engines: one that is only claimed may get its engine after the short job.
  for (const { id } of videos) await waitForJobState(id, ({ progress }) => progress > 0);
  const next = await acceptJob(account);
  const cancelVideos = async () => {
    for (const { id } of videos) await cancelJob(account.id, id);
  };
  return { next, cancelVideos };
}

it("a job claimed in advance waits for an engine, is released in time, and runs later", async () => {
  const { next, cancelVideos } = await occupyEngines();
  const claimed = await waitForJobState(next.id, ({ leaseToken }) => leaseToken !== null);
  // It may be claimed again at once: then it has another token, and was without one for milliseconds.
  const released = await waitForJobState(
    next.id,
    ({ leaseToken }) => leaseToken !== claimed.leaseToken,
  );
  expect(released).toMatchObject({ status: "processing", attempts: 0, runnerDeaths: 0 });
  await cancelVideos();
  const ended = await waitForJobState(next.id);
  expect(ended).toMatchObject({ status: "completed", attempts: 1, runnerDeaths: 0 });
});

it("a job claimed in advance starts when an engine becomes free", async () => {
  const { next, cancelVideos } = await occupyEngines();
  await waitForJobState(next.id, ({ leaseToken }) => leaseToken !== null);
  await cancelVideos();
  const ended = await waitForJobState(next.id);
  expect(ended).toMatchObject({ status: "completed", attempts: 1 });
  expect(phasesOf(ended).map(({ name }) => name)).toContain("waiting");
});

it("a runner that stops releases the jobs that wait for an engine at once", async () => {
  const { next } = await occupyEngines();
  await waitForJobState(next.id, ({ leaseToken }) => leaseToken !== null);
  const stopping = runner?.stop();
  runner = undefined;
  const released = await waitForJobState(next.id, ({ leaseToken }) => leaseToken === null);
  expect(released).toMatchObject({ status: "processing", attempts: 0 });
  await stopping;
});
