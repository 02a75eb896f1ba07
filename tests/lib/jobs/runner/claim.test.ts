import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { claimNextJob, drainForExclusiveJob } from "#lib/db/queries/jobs/claims.ts";
import { type FinalState, finishJob } from "#lib/db/queries/jobs/endings.ts";
import {
  type Lease,
  releaseJob,
  releaseLostJobs,
  renewLease,
} from "#lib/db/queries/jobs/leases.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";

const claim = async (token = "t", stage: JobStage = "run", idle = true) => {
  const claimed = await transaction((tx) => claimNextJob(tx, stage, token, 30, { idle }));
  return claimed?.job;
};

beforeEach(async () => {
  await db().execute(sql`delete from jobs`);
});

const age = (id: string, seconds: number) =>
  db().execute(
    sql`update jobs set created_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
  );

describe("the next job", () => {
  it("a higher plan goes first, then the oldest job", async () => {
    const free = await makeAccount("free");
    const business = await makeAccount("business");
    const first = await acceptJob(free);
    const second = await acceptJob(free);
    const urgent = await acceptJob(business);
    const order = [await claim("a"), await claim("b"), await claim("c")].map((job) => job?.id);
    expect(order).toEqual([urgent.id, first.id, second.id]);
  });

  it("a business job overtakes a hundred free ones", async () => {
    const free = await makeAccount("free");
    for (let count = 0; count < 100; count++) await acceptJob(free);
    const urgent = await acceptJob(await makeAccount("business"));
    expect((await claim())?.id).toBe(urgent.id);
  });

  it("a job that has waited ten minutes goes first", async () => {
    const old = await acceptJob(await makeAccount("free"));
    await age(old.id, 601);
    await acceptJob(await makeAccount("enterprise"));
    expect((await claim())?.id).toBe(old.id);
  });

  it("accounts of one plan take turns", async () => {
    const many = await makeAccount("pro");
    const one = await makeAccount("pro");
    for (let count = 0; count < 300; count++) await acceptJob(many);
    const single = await acceptJob(one);
    await claim("a");
    expect((await claim("b"))?.id).toBe(single.id);
  });

  it("accounts take turns with a single slot, where each job ends before the next claim", async () => {
    const many = await makeAccount("pro");
    const one = await makeAccount("pro");
    for (let count = 0; count < 6; count++) await acceptJob(many);
    for (let count = 0; count < 2; count++) await acceptJob(one);
    const owners: (string | undefined)[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const job = await claim(`turn ${turn}`);
      owners.push(job?.accountId);
      await db().execute(sql`delete from jobs where id = ${job?.id ?? ""}`);
      // Turns are ordered by the millisecond.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(owners).toEqual([many.id, one.id, many.id, one.id, many.id, many.id]);
  });

  it("an account that runs as many jobs as its plan allows is skipped", async () => {
    const account = await makeAccount("free");
    for (let count = 0; count < 4; count++) await acceptJob(account);
    const claims = await Promise.all(["a", "b", "c", "d"].map((token) => claim(token)));
    expect(claims.filter(Boolean)).toHaveLength(2);
  });

  it("200 jobs of visitors take one slot together, and go after every account's jobs", async () => {
    const visitors = await Promise.all(Array.from({ length: 200 }, () => makeAccount("visitor")));
    const waiting = [];
    for (const visitor of visitors) waiting.push(await acceptJob(visitor));
    await age(waiting[0]?.id ?? "", 3600);
    const single = await acceptJob(await makeAccount("free"));
    expect((await claim("a"))?.id).toBe(single.id);
    expect((await claim("b"))?.id).toBe(waiting[0]?.id);
    expect(await claim("c")).toBeUndefined();
    const next = await acceptJob(await makeAccount("free"));
    expect((await claim("d"))?.id).toBe(next.id);
    await db().execute(sql`delete from jobs where id = ${waiting[0]?.id ?? ""}`);
    expect((await claim("e"))?.plan).toBe("visitor");
  });

  it("jobs that wait for a fetch and jobs that wait for an engine are claimed separately", async () => {
    const account = await makeAccount();
    const byUrl = await acceptJob(account, "http://example.com/");
    const stored = await acceptJob(account);
    expect([(await claim("a", "run"))?.id, (await claim("b", "fetch"))?.id]).toEqual([
      stored.id,
      byUrl.id,
    ]);
    expect(await claim("c", "run")).toBeUndefined();
  });

  it("40 concurrent claims claim each of 20 jobs once", async () => {
    const account: Account = await makeAccount();
    for (let count = 0; count < 20; count++) await acceptJob(account);
    const claims = await Promise.all(Array.from({ length: 40 }, (_, index) => claim(`t${index}`)));
    const ids = claims.flatMap((job) => (job ? [job.id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });
});

describe("a job with two runner deaths", () => {
  const suspect = async () => {
    const job = await acceptJob(await makeAccount());
    await db().execute(sql`update jobs set runner_deaths = 2 where id = ${job.id}`);
    return job;
  };
  const drain = (drainingFor?: string) =>
    transaction((tx) => drainForExclusiveJob(tx, "run", drainingFor, 10));

  it("is claimed only by an idle runner; a busy one claims the job after it", async () => {
    const { id } = await suspect();
    const other = await acceptJob(await makeAccount());
    expect((await claim("a", "run", false))?.id).toBe(other.id);
    expect(await claim("b", "run", false)).toBeUndefined();
    expect((await claim("c"))?.id).toBe(id);
  });

  it("makes only one busy runner drain when it is the next job", async () => {
    const first = await acceptJob(await makeAccount());
    const { id } = await suspect();
    expect(await drain()).toBeUndefined();
    await claimJob(db(), { jobId: first.id, token: "a" }, 30, "run");
    expect(await drain()).toBe(id);
    expect([await drain(), await drain(id)]).toEqual([undefined, id]);
    await db().execute(sql`update jobs set runner_drains_until = now() - interval '1 second'`);
    expect(await drain()).toBe(id);
  });

  it("needs no idle runner if it will be set aside", async () => {
    const { id } = await suspect();
    await db().execute(sql`update jobs set runner_deaths = 10 where id = ${id}`);
    expect(await drain()).toBeUndefined();
    expect((await claim("a", "run", false))?.id).toBe(id);
  });
});

describe("a lease", () => {
  it("fences: a runner that lost the lease changes nothing", async () => {
    const { id } = await acceptJob(await makeAccount());
    const lost = { jobId: id, token: "lost" };
    const current = { jobId: id, token: "current" };
    expect(await claimJob(db(), lost, 0, "run")).toBeDefined();
    expect(await claimJob(db(), current, 30, "run")).toBeUndefined();
    await releaseLostJobs(db(), 0);
    expect(await claimJob(db(), current, 30, "run")).toMatchObject({
      attempts: 1,
      runnerDeaths: 1,
    });
    const end: FinalState = {
      status: "failed",
      outputs: [],
      result: null,
      warnings: [],
      error: "x",
      errorCode: "internal",
    };
    const finish = (lease: Lease) => finishJob(db(), lease, end, 0, retentionHoursByPlan);
    expect(await renewLease(db(), lost, 30, 50)).toBe(false);
    expect(await releaseJob(db(), lost, { delaySeconds: 0, countAttempt: true })).toBeUndefined();
    expect(await finish(lost)).toBeUndefined();
    expect(await readJob(id)).toMatchObject({
      status: "processing",
      leaseToken: "current",
      progress: 0,
    });
    expect(await finish(current)).toMatchObject({ status: "failed" });
    expect(await finish(current)).toBeUndefined();
  });

  it("writes progress that never falls", async () => {
    const { id } = await acceptJob(await makeAccount());
    const lease = { jobId: id, token: "t" };
    await claimJob(db(), lease, 30, "run");
    for (const percent of [10, 40, 20]) await renewLease(db(), lease, 30, percent);
    expect((await readJob(id)).progress).toBe(40);
  });

  it("that was released with a delay is not claimed before", async () => {
    const { id } = await acceptJob(await makeAccount());
    const lease = { jobId: id, token: "t" };
    await claimJob(db(), lease, 30, "run");
    await releaseJob(db(), lease, { delaySeconds: 60, countAttempt: true });
    expect(await claim()).toBeUndefined();
    expect(await readJob(id)).toMatchObject({ status: "processing", attempts: 1 });
  });
});
