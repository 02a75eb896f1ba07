import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms);

const pending = {
  status: "pending" as const,
  stage: "run" as const,
  unexported: null,
  leaseToken: null,
  createdAt: at(0),
  startedAt: null,
  fetchedAt: null,
  engineStartedAt: null,
  engineEndedAt: null,
  completedAt: null,
};
const working = {
  ...pending,
  status: "processing" as const,
  leaseToken: "t",
  startedAt: at(20),
  engineStartedAt: at(20),
};
const completed = {
  ...working,
  status: "completed" as const,
  leaseToken: null,
  engineEndedAt: at(90),
  completedAt: at(100),
};

const rows: [what: string, job: Parameters<typeof phasesOf>[0], phases: string][] = [
  ["is queued", pending, "queued 0-"],
  [
    "fetches",
    { ...working, stage: "fetch" as const, engineStartedAt: null },
    "queued 0-20, fetching 20-",
  ],
  ["is on an engine", working, "queued 0-20, working 20-"],
  ["was released", { ...working, leaseToken: null }, "queued 0-20, waiting 20-"],
  [
    "is in a second attempt",
    { ...working, engineStartedAt: at(70) },
    "queued 0-20, waiting 20-70, working 70-",
  ],
  ["is completed", completed, "queued 0-20, working 20-90, storing 90-100"],
  [
    "has fetched and is completed",
    { ...completed, fetchedAt: at(50), engineStartedAt: at(60) },
    "queued 0-20, fetching 20-50, waiting 50-60, working 60-90, storing 90-100",
  ],
  [
    "failed while fetching",
    {
      ...completed,
      status: "failed",
      stage: "fetch" as const,
      engineStartedAt: null,
      engineEndedAt: null,
    },
    "queued 0-20, fetching 20-100",
  ],
  [
    "was cancelled before it was claimed",
    { ...pending, status: "cancelled", completedAt: at(30) },
    "queued 0-30",
  ],
  [
    "ran under a clock that is ahead",
    { ...completed, engineEndedAt: at(130) },
    "queued 0-20, working 20-130, storing 130-130",
  ],
];

describe("the phases of a job that", () => {
  it.each(rows)("%s", (_what, job, phases) => {
    const since = (time: string | null) => (time ? Date.parse(time) - at(0).getTime() : "");
    const actual = phasesOf(job).map(({ name, from, to }) => `${name} ${since(from)}-${since(to)}`);
    expect(actual.join(", ")).toBe(phases);
  });
});

describe("a runner", () => {
  let stop = async () => {};

  afterEach(async () => {
    await stop();
    await db().execute(sql`delete from jobs`);
  });

  it("records when each phase started", async () => {
    ({ stop } = await startMediaRunner(shortTimes));
    const account = await makeAccount();
    const uploaded = await waitForJobState((await acceptJob(account)).id);
    expect(phasesOf(uploaded).map(({ name }) => name)).toEqual(["queued", "working", "storing"]);
    expect(uploaded.fetchedAt).toBeNull();
    const slow = await acceptJob(account, `http://127.0.0.1:${inject("hostPort")}/drip`);
    await waitForJobState(slow.id, ({ leaseToken }) => leaseToken !== null);
    const names = phasesOf(await readJob(slow.id)).map(({ name }) => name);
    expect(names).toEqual(["queued", "fetching"]);
  });
});
