import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import {
  claimNextJob,
  claimNextJobNow,
  drainForExclusiveJob,
} from "#lib/db/queries/jobs/claims.ts";
import { countWaitingOperations } from "#lib/db/queries/jobs/queue-state.ts";
import { engineGroups, groupFor, hasEngine } from "#lib/engine-groups.ts";
import { leftOperations } from "#lib/jobs/runner/left-operations.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { acceptJob, makeAccount } from "#tests/service/jobs.ts";

/** What runners with MEDIA_ENGINES claim. */

const leftOf = (group: (typeof engineGroups)[number]) =>
  leftOperations((engine) => hasEngine(group, engine));

const requires = (id: string) => findOperation(id)?.requires ?? expect.fail(`no operation ${id}`);

/** Accepts a job of the operation, or of a chain of several. */
async function accept(...ids: [string, ...string[]]): Promise<string> {
  const job = await acceptJob(await makeAccount("pro"));
  const [id] = ids;
  const steps = { operations: ids.map((type) => ({ type, params: {} })) };
  const [operation, params] = ids.length > 1 ? ["chain", steps] : [id, {}];
  await db().execute(
    sql`update jobs set operation = ${operation}, params = ${JSON.stringify(params)}::json, stage = 'run' where id = ${job.id}`,
  );
  return job.id;
}

const claimAs = (group: (typeof engineGroups)[number], idle = true) =>
  transaction((tx) => claimNextJob(tx, "run", "t", 30, { idle, left: leftOf(group) }));

beforeEach(async () => {
  await db().execute(sql`delete from jobs`);
});

describe("the groups", () => {
  it("have together what each operation needs, but for those that need a runner with all", () => {
    const left = [new Set(leftOf("documents")), new Set(leftOf("av"))];
    for (const { id, requires: engines } of operations) {
      const isLeftByAll = left.every((ids) => ids.has(id));
      expect([id, isLeftByAll]).toEqual([id, groupFor(engines) === "all"]);
    }
    expect(leftOf("all")).toEqual([]);
  });

  it.each([
    ["video/trim", "av"],
    ["document/html-to-pdf", "documents"],
    ["image/ocr", "documents"],
    ["image/sharpen", "any"],
    ["pipeline/thumbnail", "all"],
  ])("%s needs %s", (id, group) => {
    expect(groupFor(requires(id))).toBe(group);
    for (const one of engineGroups) {
      const canRun = requires(id).every((engine) => hasEngine(one, engine));
      expect([one, canRun]).toEqual([one, [one, "any"].includes(group) || one === "all"]);
    }
  });
});

it("a runner claims the next job that it can run, and leaves the others", async () => {
  const page = await accept("document/html-to-pdf");
  const video = await accept("video/trim");
  const any = await accept("image/sharpen");
  const av = await claimAs("av");
  const then = await claimAs("av");
  const none = await claimAs("av");
  expect([av?.job.id, then?.job.id, none]).toEqual([video, any, undefined]);
  expect((await claimAs("documents"))?.job.id).toBe(page);
});

it("a chain needs a runner with the engines of all its steps", async () => {
  const chain = await accept("document/pdf-to-images", "image/ocr", "image/sharpen");
  const mixed = await accept("document/html-to-image", "video/loop");
  expect(await claimAs("av")).toBeUndefined();
  expect((await claimAs("documents"))?.job.id).toBe(chain);
  expect(await claimAs("documents")).toBeUndefined();
  expect((await claimAs("all"))?.job.id).toBe(mixed);
});

it("each runner fetches files", async () => {
  const page = await accept("document/html-to-pdf");
  await db().execute(sql`update jobs set stage = 'fetch'`);
  const left = leftOf("av");
  const { claim } = await claimNextJobNow("fetch", "t", 30, { idle: true, left });
  expect(claim?.job.id).toBe(page);
});

it("a busy runner does not drain for an exclusive job that it leaves to others", async () => {
  const page = await accept("document/html-to-pdf");
  await db().execute(sql`update jobs set runner_deaths = 2`);
  const left = leftOf("av");
  const busy = await claimNextJobNow("run", "t", 30, { idle: false, left });
  expect(busy).toEqual({ claim: undefined, exclusiveWaits: false });
  const drain = (ids: readonly string[]) =>
    transaction((tx) => drainForExclusiveJob(tx, "run", undefined, 10, ids));
  expect(await drain(left)).toBeUndefined();
  expect(await drain(leftOf("documents"))).toBe(page);
});

it("waiting jobs are counted by their operations", async () => {
  await accept("video/trim");
  await accept("video/trim");
  await accept("document/html-to-image", "video/loop");
  const counted = await countWaitingOperations(db());
  expect(counted).toHaveLength(2);
  expect(counted).toContainEqual({ operations: ["video/trim"], jobs: 2 });
  expect(counted).toContainEqual({
    operations: ["document/html-to-image", "video/loop"],
    jobs: 1,
  });
});
